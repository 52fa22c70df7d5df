import type { Outcome } from '../../core/index.ts'
import type { Counts } from '../../store/index.ts'
import type { RouteLimiter } from '../limits/concurrency-limiter.ts'
import type { Lane } from '../schedule/model-queue.ts'
import type { ModelMeter } from './model-meter.ts'
import type { ModelProgress, Wait } from './model-progress.ts'

export interface RouteProgress {
  readonly route: string
  readonly inFlight: number
  readonly limit: number
  /** Ms until calls go out again after a provider asked to slow down; 0: now. */
  readonly pause: number
}

/** How far a run is, in cells. */
export interface Progress {
  /** Cells that may be asked: all that are planned, of an adaptive run at most as many. */
  readonly planned: number
  readonly done: number
  readonly failed: number
  /** Cells that wait for another attempt. */
  readonly retrying: number
  readonly inFlight: number
  /** Cells that are in batches. */
  readonly batched: number
  /** Models whose batches another worker looks after. */
  readonly elsewhere: readonly string[]
  /** Responses a second, over the last seconds. */
  readonly rate: number
  /** US dollars booked so far, and the limit; null: none. */
  readonly usd: number
  readonly limit: number | null
  /** Seconds until all is asked, at this rate; null: not known. */
  readonly left: number | null
  readonly routes: readonly RouteProgress[]
  /** Failures so far in this process, by code. */
  readonly failures: { readonly [code: string]: number }
  /** Each model by itself, in the order of the run. */
  readonly models: readonly ModelProgress[]
}

/** What the run knows of a model beside its lane. */
export interface AboutLanes {
  waits(lane: Lane): readonly Wait[]
  /** Cells that a model is asked at most; null: all. */
  most(model: string): number | null
}

const EVERY_MS = 200
const RATE_MS = 5000

/** Counts what happens and tells it a few times a second. */
export class ProgressMeter {
  private planned = 0
  private doneCount = 0
  private failedCount = 0
  private batchedCount = 0
  private readonly elsewhere = new Set<string>()
  private readonly failures = new Map<string, number>()
  private last = 0
  private window: { readonly at: number; readonly done: number }[] = []
  private readonly routes: ReadonlyMap<string, RouteLimiter>
  private readonly tell: ((progress: Progress) => void) | undefined
  private lanes: readonly Lane[] = []
  private meters: ReadonlyMap<string, ModelMeter> = new Map()
  private readonly about: AboutLanes

  private readonly limit: number | null

  constructor(
    routes: ReadonlyMap<string, RouteLimiter>,
    tell: ((progress: Progress) => void) | undefined,
    limit: number | null,
    about: AboutLanes,
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

  /** So many cells more, or fewer, are in batches. */
  batched(more: number): void {
    this.batchedCount += more
  }

  /** Does another worker look after the batches of a model? */
  keptElsewhere(model: string, elsewhere: boolean): void {
    if (elsewhere) this.elsewhere.add(model)
    else this.elsewhere.delete(model)
  }

  /** A cell of a model is answered. */
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

  report(lanes: readonly Lane[], usd: number): void {
    this.lanes = lanes
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
      retrying: this.lanes.reduce((sum, lane) => sum + lane.delayed.size, 0),
      inFlight: this.lanes.reduce((sum, lane) => sum + lane.inFlight, 0),
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
    const lanes = new Map(this.lanes.map((lane) => [lane.spec.name, lane]))
    return [...this.meters].map(([name, meter]) => {
      const lane = lanes.get(name)
      return meter.progress(at, {
        inFlight: lane?.inFlight ?? 0,
        retrying: lane?.delayed.size ?? 0,
        waits: lane === undefined ? [] : this.about.waits(lane),
        most: this.about.most(name),
      })
    })
  }
}
