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

/** Consecutive indices per thread where the size of a group is unknown. */
const INDICES_PER_THREAD = 16

/**
 * The thread that makes an item, always the same, so that it still has the item when it is scored. Items of a group share a
 * thread, and consecutive groups take the threads in turn, so that a client that draws in order keeps all busy.
 */
export function threadFor(
  { task, seed, index }: Pick<ItemOrigin, 'task' | 'seed' | 'index'>,
  perGroup: number | null,
  threads: number,
): number {
  let hash = 0
  for (const text of [task, seed]) for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) % 65521
  return (hash + Math.floor(index / (perGroup ?? INDICES_PER_THREAD))) % threads
}

/** What a thread needs before its first job. */
export interface Needed {
  readonly plugins: readonly Pick<Plugin, 'module' | 'from'>[]
  /** The names of the tasks that are served. */
  readonly tasks: readonly string[]
}

/** The message to a thread. */
export type Batch = Needed &
  (
    | { readonly kind: 'draw'; readonly jobs: readonly DrawJob[] }
    | { readonly kind: 'score'; readonly jobs: readonly ScoreJob[] }
    | { readonly kind: 'size'; readonly job: SizeJob }
  )
type Work = { readonly [K in Batch['kind']]: Omit<Extract<Batch, { readonly kind: K }>, keyof Needed> }[Batch['kind']]

interface ServePoolOptions {
  /** 0: one per core. */
  readonly threads: number
  /** Time limit of a batch, ms; its thread is then replaced. */
  readonly timeout?: number
}

/**
 * Jobs per message: all are lost when one of them takes too long. A request has one message at a time with a thread, so that
 * other requests are served in between.
 */
const MAX_JOBS = 32
/** Batches that may wait for a thread. */
const MAX_WAITING = 512
/** ms */
const TIMEOUT = 60_000
/** Configurations whose group size is cached. */
const MAX_CACHED = 512
/** Heap limit of a thread, MB. */
const MEGABYTES = 2048

/**
 * Threads that make and score items. Each is a pool of one, so that an item always goes to the same thread.
 */
export function servePool(
  loaded: readonly Plugin[],
  tasks: readonly string[],
  { threads, timeout = TIMEOUT }: ServePoolOptions,
): Workers {
  const needed: Needed = { plugins: loaded.map(({ module, from }) => ({ module, from })), tasks }
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
  const pools = Array.from(
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

  async function work<T>(thread: number, batch: Work): Promise<T> {
    const pool = pools[thread] as Piscina<Batch, T>
    if (pool.queueSize >= MAX_WAITING) throw new HttpError(503, 'busy', 'the server is busy. Try again later')
    return pool.run({ ...batch, ...needed } as Batch, { signal: AbortSignal.timeout(timeout) })
  }

  /** Consecutive indices per group, computed once per configuration; null: unknown, or groups are not consecutive. */
  const known = new LruCache<Promise<number | null>, string>(MAX_CACHED)
  const groupOf = ({ task, content, split, seed }: ItemOrigin): Promise<number | null> =>
    known.get(JSON.stringify([task, content, split, seed]), async () => {
      const thread = threadFor({ task, seed, index: 0 }, null, pools.length)
      const sized = await work<IndexCount>(thread, { kind: 'size', job: { task, content, split, seed } }).catch(
        () => null,
      )
      return sized?.kind === 'size' ? sized.perGroup : null
    })

  /** Distributes jobs over the threads; results are in the order of the jobs. */
  async function spread<J, R>(
    jobs: readonly J[],
    itemOf: (job: J) => ItemOrigin,
    run: (thread: number, batch: readonly J[]) => Promise<readonly R[]>,
    lost: (message: string) => R,
  ): Promise<readonly R[]> {
    const out = new Array<R>(jobs.length)
    const byThread = pools.map((): number[] => [])
    const groups = await Promise.all(jobs.map((job) => groupOf(itemOf(job))))
    for (const [at, job] of jobs.entries()) byThread[threadFor(itemOf(job), groups[at] ?? null, pools.length)]?.push(at)
    await Promise.all(
      byThread.map(async (places, thread) => {
        for (let first = 0; first < places.length; first += MAX_JOBS) {
          const batch = places.slice(first, first + MAX_JOBS)
          const results = await run(
            thread,
            batch.map((at) => jobs[at] as J),
          ).catch((error: unknown) => {
            if (error instanceof HttpError) throw error
            const message = whyLost(error, timeout)
            return batch.map(() => lost(message))
          })
          for (const [i, at] of batch.entries()) out[at] = results[i] as R
        }
      }),
    )
    return out
  }

  return {
    draw: (jobs) =>
      spread<DrawJob, Drawn>(
        jobs,
        (job) => job,
        (thread, batch) => work(thread, { kind: 'draw', jobs: batch }),
        (message) => ({ kind: 'error', message }),
      ),
    score: (jobs) =>
      spread<ScoreJob, Scored>(
        jobs,
        ({ item }) => item,
        (thread, batch) => work(thread, { kind: 'score', jobs: batch }),
        (message) => notScored({ code: 'worker-lost', message }),
      ),
    size: (job) =>
      work<IndexCount>(0, { kind: 'size', job }).catch((error: unknown): IndexCount => {
        if (error instanceof HttpError) throw error
        return { kind: 'refused', message: whyLost(error, timeout) }
      }),
    close: async () => {
      await Promise.all(pools.map((pool) => pool.destroy()))
    },
  }
}

function whyLost(error: unknown, timeout: number): string {
  if (error instanceof Error && error.name === 'AbortError') return `not done within ${timeout / 1000} s`
  return error instanceof Error ? error.message : String(error)
}
