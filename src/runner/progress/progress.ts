import { readFile, rm } from 'node:fs/promises'
import { z } from 'zod'
import type { Outcome } from '../../core/index.ts'
import { type Counts, writeFileAtomic } from '../../store/index.ts'
import type { ConcurrencyLimiter } from '../limits/concurrency-limiter.ts'
import type { ModelQueue } from '../schedule/model-queue.ts'
import type { ModelMeter } from './model-meter.ts'
import { type ModelProgress, modelProgress, type WaitReason } from './model-progress.ts'

export interface RouteProgress {
  readonly route: string
  readonly inFlight: number
  readonly limit: number
  /** Ms until calls go out again after a provider asked to slow down; 0: now. */
  readonly pause: number
}

/** Progress of a run, in calls. */
export interface Progress {
  /** Planned calls; of an adaptive run the most that it may make. */
  readonly planned: number
  readonly done: number
  readonly failed: number
  /** Calls that wait for another attempt. */
  readonly retrying: number
  readonly inFlight: number
  /** Calls that are in batches. */
  readonly batched: number
  /** Models whose batches another worker polls. */
  readonly elsewhere: readonly string[]
  /** Responses per second, over the last seconds. */
  readonly rate: number
  /** US dollars booked so far, and the limit; null: none. */
  readonly usd: number
  readonly limit: number | null
  /** Seconds until all calls have ended, at this rate; null: not known. */
  readonly left: number | null
  readonly routes: readonly RouteProgress[]
  /** Failures so far in this process, by code. */
  readonly failures: { readonly [code: string]: number }
  /** Each model by itself, in the order of the run. */
  readonly models: readonly ModelProgress[]
}

/** What only the whole execution knows of a model. */
export interface QueueFacts {
  waits(queue: ModelQueue): readonly WaitReason[]
  /** Most calls of a model; null: all. */
  most(model: string): number | null
}

const EVERY_MS = 200
const RATE_MS = 5000

/** Counts what happens and reports it a few times per second. */
export class ProgressMeter {
  private planned = 0
  private doneCount = 0
  private failedCount = 0
  private batchedCount = 0
  private readonly elsewhere = new Set<string>()
  private readonly failures = new Map<string, number>()
  private last = 0
  private window: { readonly at: number; readonly done: number }[] = []
  private readonly routes: ReadonlyMap<string, ConcurrencyLimiter>
  private readonly tell: ((progress: Progress) => void) | undefined
  private queues: readonly ModelQueue[] = []
  private meters: ReadonlyMap<string, ModelMeter> = new Map()
  private readonly about: QueueFacts

  private readonly limit: number | null

  constructor(
    routes: ReadonlyMap<string, ConcurrencyLimiter>,
    tell: ((progress: Progress) => void) | undefined,
    limit: number | null,
    about: QueueFacts,
  ) {
    this.about = about
    this.limit = limit
    this.routes = routes
    this.tell = tell
  }

  begin(counts: Counts, meters: ReadonlyMap<string, ModelMeter>): void {
    this.meters = meters
    this.planned = counts.waiting + counts.leased + counts.batched + counts.done + counts.failed
    this.doneCount = counts.done
    this.failedCount = counts.failed
    this.batchedCount = counts.batched
    this.window = [{ at: performance.now(), done: counts.done }]
  }

  /** Adds to the calls in batches, or subtracts from them. */
  batched(more: number): void {
    this.batchedCount += more
  }

  /** Does another worker poll the batches of a model? */
  keptElsewhere(model: string, elsewhere: boolean): void {
    if (elsewhere) this.elsewhere.add(model)
    else this.elsewhere.delete(model)
  }

  /** A call of a model has a response. */
  done(model: string, group: string, outcome: Outcome | null): void {
    this.doneCount++
    this.meters.get(model)?.answered(group, outcome)
  }

  /** US dollars are booked for a model. */
  spent(model: string, usd: number): void {
    this.meters.get(model)?.spent(usd)
  }

  failure(model: string, { code, message }: { readonly code: string; readonly message: string }, final: boolean): void {
    this.meters.get(model)?.failure(code, message, final)
    this.failures.set(code, (this.failures.get(code) ?? 0) + 1)
    if (final) this.failedCount++
  }

  report(queues: readonly ModelQueue[], usd: number): void {
    this.queues = queues
    if (this.tell === undefined || performance.now() - this.last < EVERY_MS) return
    this.now(usd)
  }

  end(usd: number): void {
    if (this.tell !== undefined) this.now(usd)
  }

  private now(usd: number): void {
    const at = performance.now()
    this.last = at
    this.window.push({ at, done: this.doneCount })
    while (this.window.length > 2 && at - (this.window[0]?.at ?? at) > RATE_MS) this.window.shift()
    const first = this.window[0]
    const span = first === undefined ? 0 : at - first.at
    const rate = span > 0 && first !== undefined ? ((this.doneCount - first.done) * 1000) / span : 0
    const models = this.models(at)
    const planned = models.length === 0 ? this.planned : models.reduce((sum, { total }) => sum + total, 0)
    this.tell?.({
      planned,
      done: this.doneCount,
      failed: this.failedCount,
      retrying: this.queues.reduce((sum, queue) => sum + queue.delayed.size, 0),
      inFlight: this.queues.reduce((sum, queue) => sum + queue.inFlight, 0),
      batched: this.batchedCount,
      elsewhere: [...this.elsewhere],
      rate,
      usd,
      limit: this.limit,
      left: rate > 0 ? Math.max(0, planned - this.doneCount - this.failedCount) / rate : null,
      routes: [...this.routes].map(([route, limiter]) => ({
        route,
        inFlight: limiter.busy,
        limit: limiter.limit,
        pause: Math.round(limiter.pause),
      })),
      failures: Object.fromEntries(this.failures),
      models,
    })
  }

  private models(at: number): readonly ModelProgress[] {
    const queues = new Map(this.queues.map((queue) => [queue.spec.name, queue]))
    return [...this.meters].map(([name, meter]) => {
      const queue = queues.get(name)
      return meter.progress(at, {
        inFlight: queue?.inFlight ?? 0,
        retrying: queue?.delayed.size ?? 0,
        waits: queue === undefined ? [] : this.about.waits(queue),
        most: this.about.most(name),
      })
    })
  }
}

const live = z.object({
  schema: z.literal('touchstone/live/1'),
  /** Ms UTC. */
  at: z.number(),
  usd: z.number(),
  limit: z.number().nullable(),
  rate: z.number(),
  left: z.number().nullable(),
  models: z.array(modelProgress).readonly(),
})
/** What the process that executes a run reports to observers. */
export type Live = Readonly<z.infer<typeof live>>

/** Between two writes, in ms. */
const WRITE_MS = 1000
/** Ms after which the process has ended or hangs. */
const STALE_MS = 15_000

/** Writes progress beside the ledger for observers; its errors do not affect the run. */
export class LiveFile {
  private readonly path: string
  private readonly redact: (text: string) => string
  private readonly isOurs: () => boolean
  private last = Number.NEGATIVE_INFINITY
  private writing: Promise<void> = Promise.resolve()
  private busy = false

  /** @param isOurs - does what is at the path still belong to this process? */
  constructor(path: string, redact: (text: string) => string, isOurs: () => boolean) {
    this.isOurs = isOurs
    this.path = path
    this.redact = redact
  }

  write({ usd, limit, rate, left, models }: Progress): void {
    if (this.busy || performance.now() - this.last < WRITE_MS || !this.isOurs()) return
    this.last = performance.now()
    this.busy = true
    const text = JSON.stringify({
      schema: 'touchstone/live/1',
      at: Date.now(),
      usd,
      limit,
      rate,
      left,
      models,
    } satisfies Live)
    this.writing = writeFileAtomic(this.path, `${this.redact(text)}\n`)
      .catch(() => undefined)
      .then(() => {
        this.busy = false
      })
  }

  /** Nothing is written after this. */
  async remove(): Promise<void> {
    this.last = Number.POSITIVE_INFINITY
    await this.writing
    if (this.isOurs()) await rm(this.path, { force: true }).catch(() => undefined)
  }
}

/** What the process reports that executes a run now; null: there is none. */
export async function readLive(path: string): Promise<Live | null> {
  try {
    const found = live.parse(JSON.parse(await readFile(path, 'utf8')))
    return Date.now() - found.at > STALE_MS ? null : found
  } catch {
    return null
  }
}
