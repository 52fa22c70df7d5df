import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { LruCache, memoize } from '../core/index.ts'
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
  /** Others come first where processors are scarce. */
  readonly heavy: boolean
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

/** Jobs per message: all are lost when one of them takes too long. */
const MAX_JOBS = 256
/** Batches that may wait for a thread. */
const MAX_WAITING = 512
/** ms */
const TIMEOUT = 60_000
/** Configurations whose group size is cached. */
const MAX_CACHED = 512
/** Heap limit of a thread, MB. */
const MEGABYTES = 2048
/** Heap of a thread for new objects, MB: what V8 allows by itself, 96, each thread would come to hold. */
const YOUNG_MEGABYTES = 12

/** CPU time (ms) to open a configuration or to draw one item, and characters of a response, above which work is heavy. */
const HEAVY = { ms: 200, characters: 256 * 1024 }

/** Results of the first jobs of a message, at least of one, and the mean CPU time of a job, ms. */
export interface Slice<R> {
  readonly results: readonly R[]
  readonly ms: number
}

/**
 * Threads that make and score items. Each is a pool of one, so that an item always goes to the same thread. What takes long
 * has threads of its own, and so has what nobody has measured: other items never wait for it.
 */
export function servePool(
  loaded: readonly Plugin[],
  tasks: readonly string[],
  { threads, timeout = TIMEOUT }: ServePoolOptions,
): Workers {
  const needed = { plugins: loaded.map(({ module, from }) => ({ module, from })), tasks }
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js'
  const count = threads === 0 ? availableParallelism() : threads
  // Light threads first, then as many heavy ones, which start when they are needed.
  const pools = Array.from(
    { length: 2 * count },
    (_, thread) =>
      new Piscina<Batch, Slice<unknown>>({
        filename: new URL(`./serve-worker${extension}`, import.meta.url).href,
        minThreads: thread < count ? 1 : 0,
        maxThreads: 1,
        idleTimeout: Number.POSITIVE_INFINITY,
        maxQueue: MAX_WAITING,
        resourceLimits: { maxOldGenerationSizeMb: MEGABYTES, maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
      }),
  )

  /** Is a configuration heavy? null: not measured. */
  const costs = new LruCache<{ heavy: boolean | null }, string>(MAX_CACHED)
  const costOf = memoize(({ task, content }: SizeJob) =>
    costs.get(JSON.stringify([task, content]), () => ({ heavy: null })),
  )

  async function work<R>(thread: number, batch: Work): Promise<Slice<R>> {
    const pool = pools[thread] as Piscina<Batch, Slice<R>>
    if (pool.queueSize >= MAX_WAITING) throw new HttpError(503, 'busy', 'the server is busy. Try again later')
    return pool.run({ ...batch, ...needed, heavy: thread >= count }, { signal: AbortSignal.timeout(timeout) })
  }

  // Threads load the tasks now, and not when the first client waits.
  for (let thread = 0; thread <= count; thread++) void work(thread, { kind: 'draw', jobs: [] }).catch(() => undefined)

  function threadOf(item: ItemOrigin, perGroup: number | null, long = false): number {
    const heavy = long || costOf(item).heavy !== false
    return threadFor(item, perGroup, count) + (heavy ? count : 0)
  }

  async function sizeOf(job: SizeJob): Promise<IndexCount> {
    const { results, ms } = await work<IndexCount>(threadOf({ ...job, index: 0 }, null), { kind: 'size', job })
    const cost = costOf(job)
    cost.heavy = cost.heavy === true || ms > HEAVY.ms
    return results[0] ?? { kind: 'refused', message: 'the worker returned no size' }
  }

  /** Consecutive indices per group, computed once per configuration; null: unknown, or groups are not consecutive. */
  const known = new LruCache<Promise<number | null>, string>(MAX_CACHED)
  const groupOf = ({ task, content, split, seed }: ItemOrigin): Promise<number | null> =>
    known.get(JSON.stringify([task, content, split, seed]), async () => {
      const sized = await sizeOf({ task, content, split, seed }).catch(() => null)
      return sized?.kind === 'size' ? sized.perGroup : null
    })

  /** Distributes jobs over the threads; results are in the order of the jobs. */
  async function spread<J, R>(
    jobs: readonly J[],
    itemOf: (job: J) => ItemOrigin,
    isLong: (job: J) => boolean,
    message: (jobs: readonly J[]) => Work,
    lost: (message: string) => R,
  ): Promise<readonly R[]> {
    const out = new Array<R>(jobs.length)
    const byThread = pools.map((): number[] => [])
    const groupOnce = memoize(groupOf)
    const groups = await Promise.all(jobs.map((job) => groupOnce(itemOf(job))))
    for (const [at, job] of jobs.entries()) byThread[threadOf(itemOf(job), groups[at] ?? null, isLong(job))]?.push(at)
    await Promise.all(
      byThread.map(async (places, thread) => {
        // One message at a time, and its thread does no more than a slice of it, so that other requests are served in between.
        let done = 0
        while (done < places.length) {
          const batch = places.slice(done, done + MAX_JOBS)
          const sent = message(batch.map((at) => jobs[at] as J))
          const { results, ms } = await work<R>(thread, sent).catch((error: unknown) => {
            if (error instanceof HttpError) throw error
            const why = whyLost(error, timeout)
            return { results: batch.map(() => lost(why)), ms: 0 }
          })
          // Only draws count: no text that somebody sends makes an item heavy for others.
          if (sent.kind === 'draw' && ms > HEAVY.ms) costOf(itemOf(jobs[batch[0] as number] as J)).heavy = true
          for (const [i, result] of results.entries()) out[batch[i] as number] = result
          done += results.length
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
        () => false,
        (batch) => ({ kind: 'draw', jobs: batch }),
        (message) => ({ kind: 'error', message }),
      ),
    score: (jobs) =>
      spread<ScoreJob, Scored>(
        jobs,
        ({ item }) => item,
        ({ text }) => text.length > HEAVY.characters,
        (batch) => ({ kind: 'score', jobs: batch }),
        (message) => notScored({ code: 'worker-lost', message }),
      ),
    size: (job) =>
      sizeOf(job).catch((error: unknown): IndexCount => {
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
