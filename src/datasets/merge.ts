import { MerkleTree, type Task, UsageError } from '../core/index.ts'
import type { Row } from '../store/index.ts'
import { toStoredRow } from './columns.ts'
import { type Manifest, promptKindOf } from './manifest.ts'
import { type Dataset, datasetRows, shardsOf, sourceOf } from './open.ts'
import { groupRowHash, itemRowHash } from './stored-rows.ts'
import { DatasetWriter, promptLeaf } from './writer.ts'

/**
 * Joins shards made by `generate --shard i/n`, given in any order, into the dataset that one run would have written: the
 * same files, the same root, the same identity. Groups that two shards share are kept once.
 *
 * @throws UsageError where the shards are not of one set, leave a gap or were changed.
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
    if (writer.root() !== promisedRoot(parts))
      throw new UsageError('the rows of the shards are not those their manifests describe; run verify on each of them')
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
  new UsageError(`${folder} was changed: ${what} does not have the hash stored with it; run verify on it`)

function checkFit(parts: readonly Dataset[], i: number, part: Dataset): void {
  const head = (parts[0] as Dataset).manifest
  const { manifest, folder } = part
  for (const field of ['task', 'version', 'configHash', 'split', 'planHash'] as const)
    if (manifest[field] !== head[field])
      throw new UsageError(`${folder} is of another set: its ${field} is ${manifest[field]}, not ${head[field]}`)
  if (JSON.stringify(manifest.seed) !== JSON.stringify(head.seed))
    throw new UsageError(`${folder} is of another set: its seed is another`)
  if (manifest.prompts?.style !== head.prompts?.style || manifest.prompts?.solutions !== head.prompts?.solutions)
    throw new UsageError(
      `${folder} holds prompts of another style than the other shards, with solutions of another detail, or none`,
    )
  const before = parts[i - 1]?.manifest
  if (before !== undefined && before.first + before.indices !== manifest.first)
    throw new UsageError(
      `the shards do not join: one ends before index ${before.first + before.indices}, the next (${folder}) begins at ${manifest.first}`,
    )
}

/** The root that the manifests of the shards make together. */
function promisedRoot(parts: readonly Dataset[]): string {
  const tree = new MerkleTree(parts[0]?.manifest.first)
  for (const part of parts)
    for (const { count, subroots } of shardsOf(part, 'items')) tree.addShard(count, subroots ?? [])
  return tree.root()
}
