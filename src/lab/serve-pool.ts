import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { LruCache } from '../core/index.ts'
import { HttpError } from '../extras/protocols/http.ts'
import type {
  DrawJob,
  Drawn,
  IndexCount,
  ItemOrigin,
  Scored,
  ScoreJob,
  SizeJob,
  Workers,
} from '../extras/protocols/job.ts'
import { notScored } from '../extras/protocols/job.ts'
import type { Plugin } from './plugins.ts'
import { laneOf } from './serve-lanes.ts'

/** What a thread needs before its first job. */
export interface Needed {
  readonly plugins: readonly Pick<Plugin, 'module' | 'from'>[]
  /** The names of the tasks that are served. */
  readonly tasks: readonly string[]
}

/** What a thread is given. */
export type Batch = Needed &
  (
    | { readonly kind: 'draw'; readonly jobs: readonly DrawJob[] }
    | { readonly kind: 'score'; readonly jobs: readonly ScoreJob[] }
    | { readonly kind: 'size'; readonly job: SizeJob }
  )
type Work = { readonly [K in Batch['kind']]: Omit<Extract<Batch, { readonly kind: K }>, keyof Needed> }[Batch['kind']]

export interface ServePoolOptions {
  /** 0: one a core. */
  readonly threads: number
  /** After so many milliseconds the work of a thread is given up, and the thread with it. */
  readonly timeout?: number
}

/** Jobs a thread takes at once: what is lost when one of them takes too long. */
const BATCH = 256
/** Batches that may wait for a thread. */
const MAX_WAITING = 512
const TIMEOUT = 60_000
/** Selections whose groups are remembered. */
const SELECTIONS_KEPT = 512
const MEGABYTES = 2048

/**
 * Threads that make items and score. Each is a pool of one: an item goes always to the same thread, which has it still when its
 * answers come.
 */
export function servePool(
  loaded: readonly Plugin[],
  tasks: readonly string[],
  { threads, timeout = TIMEOUT }: ServePoolOptions,
): Workers {
  const needed: Needed = { plugins: loaded.map(({ module, from }) => ({ module, from })), tasks }
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
  const lanes = Array.from(
    { length: threads === 0 ? availableParallelism() : threads },
    () =>
      new Piscina<Batch, unknown>({
        filename: new URL(`./serve-worker${extension}`, import.meta.url).href,
        minThreads: 1,
        maxThreads: 1,
        maxQueue: MAX_WAITING,
        resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
      }),
  )

  async function work<T>(lane: number, batch: Work): Promise<T> {
    const pool = lanes[lane] as Piscina<Batch, T>
    if (pool.queueSize >= MAX_WAITING) throw new HttpError(503, 'busy', 'too much is waiting already: try again')
    return pool.run({ ...batch, ...needed } as Batch, { signal: AbortSignal.timeout(timeout) })
  }

  /** How many indices in a row are of one group, asked once a selection; null where groups do not lie so, or nobody can tell. */
  const known = new LruCache<Promise<number | null>, string>(SELECTIONS_KEPT)
  const groupOf = ({ task, content, split, seed }: ItemOrigin): Promise<number | null> =>
    known.get(JSON.stringify([task, content, split, seed]), async () => {
      const lane = laneOf({ task, seed, index: 0 }, null, lanes.length)
      const sized = await work<IndexCount>(lane, { kind: 'size', job: { task, content, split, seed } }).catch(
        () => null,
      )
      return sized?.kind === 'size' ? sized.perGroup : null
    })

  /** Jobs to their lanes in batches, and what came of them in the order of the jobs. */
  async function spread<J, R>(
    jobs: readonly J[],
    itemOf: (job: J) => ItemOrigin,
    run: (lane: number, batch: readonly J[]) => Promise<readonly R[]>,
    lost: (message: string) => R,
  ): Promise<readonly R[]> {
    const out = new Array<R>(jobs.length)
    const byLane = lanes.map((): number[] => [])
    const groups = await Promise.all(jobs.map((job) => groupOf(itemOf(job))))
    for (const [at, job] of jobs.entries()) byLane[laneOf(itemOf(job), groups[at] ?? null, lanes.length)]?.push(at)
    const batches = byLane.flatMap((places, lane) =>
      Array.from({ length: Math.ceil(places.length / BATCH) }, (_, b) => ({
        lane,
        places: places.slice(b * BATCH, (b + 1) * BATCH),
      })),
    )
    await Promise.all(
      batches.map(async ({ lane, places }) => {
        const results = await run(
          lane,
          places.map((at) => jobs[at] as J),
        ).catch((error: unknown) => {
          if (error instanceof HttpError) throw error
          const message = whyLost(error, timeout)
          return places.map(() => lost(message))
        })
        for (const [i, at] of places.entries()) out[at] = results[i] as R
      }),
    )
    return out
  }

  return {
    draw: (jobs) =>
      spread<DrawJob, Drawn>(
        jobs,
        (job) => job,
        (lane, batch) => work(lane, { kind: 'draw', jobs: batch }),
        (message) => ({ kind: 'error', message }),
      ),
    score: (jobs) =>
      spread<ScoreJob, Scored>(
        jobs,
        ({ item }) => item,
        (lane, batch) => work(lane, { kind: 'score', jobs: batch }),
        (message) => notScored({ code: 'worker-lost', message }),
      ),
    size: (job) =>
      work<IndexCount>(0, { kind: 'size', job }).catch((error: unknown): IndexCount => {
        if (error instanceof HttpError) throw error
        return { kind: 'refused', message: whyLost(error, timeout) }
      }),
    close: async () => {
      await Promise.all(lanes.map((lane) => lane.destroy()))
    },
  }
}

function whyLost(error: unknown, timeout: number): string {
  if (error instanceof Error && error.name === 'AbortError') return `not done within ${timeout / 1000} s`
  return error instanceof Error ? error.message : String(error)
}
