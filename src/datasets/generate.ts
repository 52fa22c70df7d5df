import { type JsonObject, type PluginRecord, type Source, type Task, UsageError } from '../core/index.ts'
import type { RowFormat } from '../store/index.ts'
import { type ChunkMaker, chunksOf, makeChunk } from './chunk.ts'
import type { PromptKind } from './columns.ts'
import type { Manifest } from './manifest.ts'
import { DatasetWriter, rejectFull } from './writer.ts'

/** What to generate, how much of it, where to, and what is written beside the items. */
export interface GenerateOptions {
  readonly task: Task
  readonly preset: string | null
  readonly config: JsonObject
  readonly split: string
  readonly seed: string
  /** Left out: the whole of a finite config. */
  readonly count?: number
  readonly shard?: { readonly index: number; readonly of: number }
  readonly out: string
  readonly format: RowFormat
  /** Store a witness with every item. */
  readonly witnesses: boolean
  /** Also write prompts. */
  readonly prompts?: PromptKind
  readonly generator: { readonly package: string; readonly version: string; readonly node: string }
  /** The plugins that are loaded, which the set may need. */
  readonly plugins?: PluginRecord[]
  readonly created: string
  /** Makes chunks elsewhere, e.g. in worker threads; left out: here. */
  readonly chunkMaker?: (source: Source) => { readonly make: ChunkMaker; readonly ahead: number }
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

/**
 * Writes a dataset, streaming: memory does not grow with its size. What goes wrong or is aborted leaves nothing behind.
 *
 * @throws UsageError for a folder that holds anything.
 *
 * @example
 * import { generate, type GenerateOptions } from '@touchstone-eval/touchstone/node'
 *
 * export const rootOfNew = async (options: GenerateOptions): Promise<string> => (await generate(options)).root
 */
export async function generate(options: GenerateOptions): Promise<Manifest> {
  const { task, out, format, witnesses, signal } = options
  const prompts = options.prompts ?? null
  // Told before a plan is computed.
  await rejectFull(out)
  const source = task.source(options.config, { split: options.split, seed: options.seed })
  const range = indexRange(source.layout.size, options.count, options.shard)
  const { make, ahead } = options.chunkMaker?.(source) ?? {
    make: (job) => makeChunk(task, source, job),
    // The next chunk is made while the database compresses what came before.
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

/** Shards are cut at multiples of this many indices; a power of two, so that they are made of whole subtrees. */
const blockSize = 1024

/** Which indices: `count` from 0, or shard i of n of them, cut at multiples of 2^k leaves. */
export function indexRange(
  size: number | null,
  count: number | undefined,
  shard: { readonly index: number; readonly of: number } | undefined,
): { readonly first: number; readonly count: number } {
  if (count === undefined && size === null)
    throw new UsageError('this config is endless: say how many items with `count`')
  const total = count ?? (size as number)
  if (!Number.isSafeInteger(total) || total < 1)
    throw new UsageError(`\`count\` is a whole number from 1, got ${total}`)
  if (size !== null && total > size)
    throw new UsageError(`this config has ${size} indices, \`count\` asks for ${total}; leave it out to take all`)
  if (shard === undefined) return { first: 0, count: total }
  const { index, of } = shard
  if (!Number.isSafeInteger(of) || !Number.isSafeInteger(index) || of < 1 || index < 0 || index >= of)
    throw new UsageError(`\`shard\` is part i of n with 0 <= i < n, got ${index}/${of}`)
  const blocks = Math.ceil(total / blockSize)
  const edge = (i: number) => Math.min(total, Math.floor((i * blocks) / of) * blockSize)
  const first = edge(index)
  const rows = edge(index + 1) - first
  if (rows === 0)
    throw new UsageError(`${of} shards of ${total} indices leave shard ${index} empty; use at most ${blocks} shards`)
  return { first, count: rows }
}
