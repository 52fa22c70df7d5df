import { MerkleTree, type Task, UsageError } from '../core/index.ts'
import type { Row } from '../store/index.ts'
import { toStoredRow } from './columns.ts'
import { type Manifest, promptKindOf } from './manifest.ts'
import { type Dataset, datasetRows, shardsOf, sourceOf } from './open.ts'
import { groupRowHash, itemRowHash } from './stored-rows.ts'
import { DatasetWriter, promptLeaf } from './writer.ts'

/**
 * Joins the shards of `generate --shard i/n`, in any order, into the dataset that one run would have written: same files,
 * root and identity. A group in two shards is written once.
 *
 * @throws UsageError for shards of different sets, with a gap between them, or changed.
 *
 * @example
 * import { merge, openDataset } from '@touchstone-eval/touchstone/node'
 * import type { Task } from '@touchstone-eval/touchstone/task'
 *
 * export const join = async (folders: readonly string[], task: Task, out: string) =>
 *   merge(await Promise.all(folders.map((folder) => openDataset(folder))), task, out)
 */
export async function merge(datasets: readonly Dataset[], task: Task, out: string): Promise<Manifest> {
  const parts = [...datasets].sort((a, b) => a.manifest.first - b.manifest.first)
  const head = parts[0]
  if (head === undefined) throw new UsageError('merge needs at least one dataset')
  for (const [i, part] of parts.entries()) checkFit(parts, i, part)
  const { manifest } = head
  const writer = await DatasetWriter.open({
    task,
    source: sourceOf(task, head),
    out,
    format: manifest.shards[0]?.file.endsWith('.jsonl') ? 'jsonl' : 'parquet',
    first: manifest.first,
    prompts: promptKindOf(manifest),
  })
  try {
    for (const part of parts) {
      const groups = new Map<number, string>()
      for await (const rows of datasetRows(part, task, 'groups')) {
        for (const row of rows) {
          check(part, row, groupRowHash(row))
          groups.set(row['group'] as number, row['hash'] as string)
        }
        await writer.groups(rows)
      }
      for await (const rows of datasetRows(part, task, 'items')) {
        for (const row of rows) check(part, row, itemRowHash(part.manifest, row, groups))
        await writer.items(rows.map(toStoredRow))
      }
      const prompts = new MerkleTree()
      for await (const rows of datasetRows(part, task, 'prompts')) {
        for (const row of rows) prompts.add(promptLeaf(row))
        await writer.prompts(rows)
      }
      if (part.manifest.prompts !== null && prompts.root() !== part.manifest.prompts.root)
        throw changed(part, 'a prompt')
    }
    if (writer.root() !== expectedRoot(parts))
      throw new UsageError('the rows of the shards differ from their manifests. Run verify on each')
    return await writer.finish(manifest)
  } catch (error) {
    await writer.abort()
    throw error
  }
}

function check(part: Dataset, row: Row, hash: string | null): void {
  if (hash === null || hash !== row['hash']) throw changed(part, 'a row')
}

const changed = ({ folder }: Dataset, what: string): UsageError =>
  new UsageError(`${folder} was changed: ${what} differs from its stored hash. Run verify on it`)

function checkFit(parts: readonly Dataset[], i: number, part: Dataset): void {
  const head = (parts[0] as Dataset).manifest
  const { manifest, folder } = part
  for (const field of ['task', 'version', 'configHash', 'split', 'planHash'] as const)
    if (manifest[field] !== head[field])
      throw new UsageError(`${folder} is of another set: expected the ${field} ${head[field]}, got ${manifest[field]}`)
  if (JSON.stringify(manifest.seed) !== JSON.stringify(head.seed))
    throw new UsageError(`${folder} is of another set: its seed differs`)
  if (manifest.prompts?.style !== head.prompts?.style || manifest.prompts?.solutions !== head.prompts?.solutions)
    throw new UsageError(`${folder} differs from the other shards in prompt style or detail of solutions`)
  const before = parts[i - 1]?.manifest
  if (before !== undefined && before.first + before.indices !== manifest.first)
    throw new UsageError(
      `the shards do not join: one ends before index ${before.first + before.indices}, ${folder} begins at ${manifest.first}`,
    )
}

/** The root of all items, from the manifests of the shards. */
function expectedRoot(parts: readonly Dataset[]): string {
  const tree = new MerkleTree(parts[0]?.manifest.first)
  for (const part of parts)
    for (const { count, subroots } of shardsOf(part, 'items')) tree.addShard(count, subroots ?? [])
  return tree.root()
}
