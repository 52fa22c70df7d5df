import { availableParallelism } from 'node:os'
import type { EmptyIndex, GroupJob, Item, Json, Source } from '../core/index.ts'
import type { ChunkJob, ChunkMaker, DatasetJob } from '../datasets/index.ts'
import type { Plugin } from './plugins.ts'

/** Worker entries lie beside this file, as .ts in the source and .js in the package. */
export const entry = (name: string): string =>
  new URL(`./${name}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url).href

export interface PlanJob {
  readonly dataset: DatasetJob
  readonly plugins: readonly Pick<Plugin, 'module' | 'from'>[]
}

export interface WorkerJob extends PlanJob {
  readonly chunk: ChunkJob
}

export interface ItemsJob extends PlanJob {
  readonly job: GroupJob
}

/** Makes chunks, plans and items in worker threads until `close`. */
export interface ChunkPool {
  readonly makerOf: (source: Source) => { readonly make: ChunkMaker; readonly ahead: number }
  /** Recomputes the plan of a source. */
  readonly planOf: (source: Source) => Promise<Json>
  readonly make: (source: Source, job: GroupJob) => Promise<readonly (Item | EmptyIndex)[]>
  readonly threads: number
  close(): Promise<void>
}

/** `threads` 0: one per core. */
export async function chunkPool(threads: number, loaded: readonly Plugin[]): Promise<ChunkPool> {
  // Loaded only where threads are wanted.
  const { Piscina } = await import('piscina')
  const plugins = loaded.map(({ module, from }) => ({ module, from }))
  const count = threads === 0 ? availableParallelism() : threads
  const pool = new Piscina<PlanJob | WorkerJob | ItemsJob>({
    filename: entry('chunk-worker'),
    minThreads: count,
    maxThreads: count,
    // The next chunk is queued before one is done: the main thread may be busy with rows then.
    concurrentTasksPerWorker: 2,
  })
  return {
    makerOf: (source) => {
      const dataset = jobOf(source)
      // Some chunks take ten times as long as others, and only the writer waits for them.
      return { make: (chunk) => pool.run({ dataset, plugins, chunk } satisfies WorkerJob), ahead: count * 4 }
    },
    planOf: (source) => pool.run({ dataset: jobOf(source), plugins } satisfies PlanJob, { name: 'plan' }),
    make: (source, job) => pool.run({ dataset: jobOf(source), plugins, job } satisfies ItemsJob, { name: 'items' }),
    threads: count,
    close: () => pool.destroy(),
  }
}

const jobOf = ({ task, config, split, seed, plan }: Source): DatasetJob => ({ task, config, split, seed, plan })
