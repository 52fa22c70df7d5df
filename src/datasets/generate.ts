import { type JsonObject, type PluginRecord, type Source, type Task, UsageError } from '../core/index.ts'
import type { RowFormat } from '../store/index.ts'
import { type ChunkMaker, chunksOf, makeChunk } from './chunk.ts'
import type { PromptKind } from './columns.ts'
import type { Manifest } from './manifest.ts'
import { DatasetWriter, requireEmpty } from './writer.ts'

/** The items of a dataset, its folder, and what is written beside them. */
export interface GenerateOptions {
  readonly task: Task
  readonly preset: string | null
  readonly config: JsonObject
  readonly split: string
  readonly seed: string
  /** Default: all indices of a finite config. */
  readonly count?: number
  readonly shard?: { readonly index: number; readonly of: number }
  readonly out: string
  readonly format: RowFormat
  /** Store a witness with every item. */
  readonly witnesses: boolean
  /** Also write prompts. */
  readonly prompts?: PromptKind
  readonly generator: { readonly package: string; readonly version: string; readonly node: string }
  /** Plugins that the task may need. */
  readonly plugins?: PluginRecord[]
  readonly created: string
  /** Makes chunks in worker threads. Default: in this thread. */
  readonly chunkMaker?: (source: Source) => { readonly make: ChunkMaker; readonly ahead: number }
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

/**
 * Writes a dataset as a stream: memory does not grow with its size. An error or abort leaves no files.
 *
 * @throws UsageError unless the folder is empty or missing.
 *
 * @example
 * import { generate, type GenerateOptions } from '@touchstone-eval/touchstone/node'
 *
 * export const rootOfNew = async (options: GenerateOptions): Promise<string> => (await generate(options)).root
 */
export async function generate(options: GenerateOptions): Promise<Manifest> {
  const { task, out, format, witnesses, signal } = options
  const prompts = options.prompts ?? null
  // Before the plan is computed, which may take long.
  await requireEmpty(out)
  const source = task.source(options.config, { split: options.split, seed: options.seed })
  const range = indexRange(source.layout.size, options.count, options.shard)
  const { make, ahead } = options.chunkMaker?.(source) ?? {
    make: (job) => makeChunk(task, source, job),
    // The next chunk is made while the last is compressed.
    ahead: 2,
  }
  const writer = await DatasetWriter.open({ task, source, out, format, first: range.first, prompts })
  try {
    for await (const { job, chunk } of chunksOf(make, source.layout, range, { witnesses, prompts, ahead })) {
      signal?.throwIfAborted()
      await writer.items(chunk.items)
      await writer.groups(chunk.groups)
      await writer.prompts(chunk.prompts)
      options.onProgress?.(job.first + job.count - range.first, range.count)
    }
    signal?.throwIfAborted()
    return await writer.finish(options)
  } catch (error) {
    await writer.abort()
    throw error
  }
}

/** Shards start at multiples of this; a power of two, so that they consist of whole subtrees. */
const SHARD_UNIT = 1024

/** The indices of a dataset, or of shard i of n. @throws UsageError */
export function indexRange(
  size: number | null,
  count: number | undefined,
  shard: { readonly index: number; readonly of: number } | undefined,
): { readonly first: number; readonly count: number } {
  if (count === undefined && size === null) throw new UsageError('this config is endless: give a --count')
  const total = count ?? (size as number)
  if (!Number.isSafeInteger(total) || total < 1)
    throw new UsageError(`--count: expected a whole number from 1, got ${total}`)
  if (size !== null && total > size)
    throw new UsageError(`--count: this config has ${size} indices, got ${total}. Omit it to take all`)
  if (shard === undefined) return { first: 0, count: total }
  const { index, of } = shard
  if (!Number.isSafeInteger(of) || !Number.isSafeInteger(index) || of < 1 || index < 0 || index >= of)
    throw new UsageError(`--shard: expected i of n with 0 <= i < n, got ${index}/${of}`)
  const blocks = Math.ceil(total / SHARD_UNIT)
  const edge = (i: number) => Math.min(total, Math.floor((i * blocks) / of) * SHARD_UNIT)
  const first = edge(index)
  const rows = edge(index + 1) - first
  if (rows === 0)
    throw new UsageError(`shard ${index} of ${of} would be empty. Use at most ${blocks} shards for ${total} indices`)
  return { first, count: rows }
}
