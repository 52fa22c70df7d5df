import { availableParallelism } from 'node:os'
import type { Source } from '../core/index.ts'
import type { Chunk, ChunkJob, ChunkMaker, DatasetJob } from '../datasets/index.ts'
import type { Plugin } from './plugins.ts'

/** Worker entries stand beside this file, as .ts in the source and .js in the package. */
export const entry = (name: string): string =>
  new URL(`./${name}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url).href

export interface WorkerJob {
  readonly dataset: DatasetJob
  readonly plugins: readonly Pick<Plugin, 'module' | 'from'>[]
  readonly chunk: ChunkJob
}

/** Makes chunks in worker threads; the pool is closed by `close`. */
export interface ChunkPool {
  readonly makerOf: (source: Source) => { readonly make: ChunkMaker; readonly ahead: number }
  close(): Promise<void>
}

/** `threads` 0: as many as the machine has cores. */
export async function chunkPool(threads: number, loaded: readonly Plugin[]): Promise<ChunkPool> {
  const { Piscina } = await import('piscina')
  const plugins = loaded.map(({ module, from }) => ({ module, from }))
  const count = threads === 0 ? availableParallelism() : threads
  const pool = new Piscina<WorkerJob, Chunk>({
    filename: entry('chunk-worker'),
    minThreads: count,
    maxThreads: count,
    // The next is there when a chunk is done: who hands them out may be busy with rows just then.
    concurrentTasksPerWorker: 2,
  })
  return {
    makerOf: (source) => {
      const { task, config, split, seed, plan } = source
      const dataset: DatasetJob = { task, config, split, seed, plan }
      // Some chunks take ten times as long as others, and nobody waits for them but the writer.
      return { make: (chunk) => pool.run({ dataset, plugins, chunk }), ahead: count * 4 }
    },
    close: () => pool.destroy(),
  }
}
