import { access } from 'node:fs/promises'
import { join } from 'node:path'
import {
  hex,
  type JsonObject,
  MerkleTree,
  merkleLeaf,
  planHash,
  type Source,
  sha256,
  type Task,
  UsageError,
} from '../core/index.ts'
import { makeFolder, type Row, type RowFormat, writeFileAtomic } from '../store/index.ts'
import { datasetCard } from './card.ts'
import { type ChunkMaker, chunksOf, makeChunk } from './chunk.ts'
import { featureSchema, groupColumns, itemColumns, promptColumns } from './columns.ts'
import type { Manifest } from './manifest.ts'
import { indexRange } from './range.ts'
import { ShardFiles } from './shard-files.ts'
import { Tally } from './tally.ts'

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
  /** Also write rendered prompts in this style. */
  readonly prompts?: string
  readonly generator: { readonly package: string; readonly version: string; readonly node: string }
  readonly created: string
  /** Makes chunks elsewhere, e.g. in worker threads; left out: here. */
  readonly chunkMaker?: (source: Source) => { readonly make: ChunkMaker; readonly ahead: number }
  readonly onProgress?: (done: number, total: number) => void
  readonly signal?: AbortSignal
}

/** Rows a file; a power of two, so that files are aligned subtrees. */
const rowsPerFile = 65536

/**
 * Writes a dataset: items, groups, prompts where asked for, the card and, last, the manifest. Streaming: memory does
 * not grow with the size. @throws UsageError for a folder that holds a dataset already.
 */
export async function generate(options: GenerateOptions): Promise<Manifest> {
  const { task, out, format } = options
  await refuseExisting(out)
  const source = task.source(options.config, { split: options.split, seed: options.seed })
  const range = indexRange(source.layout.size, options.count, options.shard)
  await makeFolder(out)
  const { make, ahead } = options.chunkMaker?.(source) ?? {
    make: (job) => makeChunk(task, source, job),
    ahead: 1,
  }
  const style = options.prompts ?? null
  const items = new ShardFiles(out, 'items', format, itemColumns(task), rowsPerFile)
  const groups = new ShardFiles(out, 'groups', format, groupColumns, Number.POSITIVE_INFINITY)
  const prompts = new ShardFiles(out, 'prompts', format, promptColumns, rowsPerFile)
  const tree = new MerkleTree(range.first)
  const groupTree = new MerkleTree()
  const promptTree = new MerkleTree()
  const seenGroups = new Set<number>()
  const tally = new Tally()
  try {
    for await (const { job, chunk } of chunksOf(make, range, { witnesses: options.witnesses, style, ahead })) {
      options.signal?.throwIfAborted()
      for (const row of chunk.items) {
        tree.add(merkleLeaf(row['hash'] as string))
        tally.add(row)
      }
      await items.write(job.first, chunk.items)
      const fresh = chunk.groups.filter((row) => !seenGroups.has(row['group'] as number))
      for (const row of fresh) {
        seenGroups.add(row['group'] as number)
        groupTree.add(merkleLeaf(row['hash'] as string))
      }
      await groups.write(groupTree.size - fresh.length, fresh)
      for (const row of chunk.prompts) promptTree.add(promptLeaf(row))
      await prompts.write(promptTree.size - chunk.prompts.length, chunk.prompts)
      options.onProgress?.(job.first + job.count - range.first, range.count)
    }
    const shards = [...(await items.close()), ...(await groups.close()), ...(await prompts.close())]
    const manifest: Manifest = {
      schema: 'touchstone/manifest/1',
      task: task.name,
      version: task.version,
      preset: options.preset,
      config: options.config,
      configHash: source.configHash,
      split: source.split,
      seed: { text: source.seed },
      first: range.first,
      indices: range.count,
      count: tally.count,
      holes: { proved: tally.proved, gaveUp: tally.gaveUp },
      ...(source.plan === null ? {} : { plan: source.plan, planHash: planHash(source.plan) }),
      features: featureSchema(task),
      root: tree.root(),
      salted: false,
      groups: { count: groupTree.size, root: groupTree.root(), layout: source.layout.layout },
      shards,
      strata: tally.report(source.layout),
      fence: task.fence === undefined ? null : { domain: task.fence.domain, keyVersion: task.fence.keyVersion },
      prompts: style === null ? null : { style, promptVersion: task.wording, root: promptTree.root() },
      scorerVersion: task.scorer,
      generator: options.generator,
      audit: null,
      created: options.created,
    }
    await writeFileAtomic(join(out, 'README.md'), datasetCard(task, source, manifest))
    await writeFileAtomic(join(out, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`)
    return manifest
  } catch (error) {
    await Promise.all([items.abort(), groups.abort(), prompts.abort()])
    throw error
  }
}

const promptLeaf = (row: Row): Uint8Array => {
  const text = `touchstone/prompt/1\n${JSON.stringify([row['id'] ?? null, row['request'] ?? null])}`
  return merkleLeaf(hex(sha256(new TextEncoder().encode(text))))
}

async function refuseExisting(out: string): Promise<void> {
  const there = await access(join(out, 'manifest.json')).then(
    () => true,
    () => false,
  )
  if (there) throw new UsageError(`${out} holds a dataset already; choose another --out or remove it`)
}
