import {
  bucketsOfSplit,
  canonicalJson,
  isUsageError,
  type Json,
  MerkleTree,
  merkleLeaf,
  partitionBucket,
  type Source,
  type Task,
} from '../../core/index.ts'
import type { Row } from '../../store/index.ts'
import { type PromptKind, promptRow } from '../columns.ts'
import { promptKindOf } from '../manifest.ts'
import { type Dataset, shardsOf } from '../open.ts'
import { groupRowHash } from '../stored-rows.ts'
import { promptLeaf } from '../writer.ts'
import { readableRows } from './manifest.ts'
import type { Problems } from './problems.ts'

/** Checks hashes, root and split partition of the groups; returns their hashes by number. */
export async function checkGroups(
  dataset: Dataset,
  task: Task,
  problems: Problems,
): Promise<ReadonlyMap<number, string>> {
  const { manifest } = dataset
  const hashes = new Map<number, string>()
  const tree = new MerkleTree()
  for (const shard of shardsOf(dataset, 'groups'))
    for await (const rows of readableRows(dataset, task, shard, problems))
      for (const row of rows) {
        const shared = row['shared'] ?? null
        const hash = groupRowHash(row)
        if (hash === null || hash !== row['hash'])
          problems.whole('groups', `group ${row['group']} differs from its stored hash`)
        if (hash === null) continue
        tree.add(merkleLeaf(hash))
        const number = row['group'] as number
        if (hashes.has(number)) problems.whole('groups', `group ${number} occurs twice`)
        hashes.set(number, hash)
        const outside = task.partition?.of === 'group' ? partitionError(task, manifest.split, shared, null) : null
        if (outside !== null) problems.whole('partition', `group ${row['group']} ${outside}`)
      }
  if (tree.size !== manifest.groups.count || tree.root() !== manifest.groups.root)
    problems.whole(
      'groups',
      `expected ${manifest.groups.count} groups with root ${manifest.groups.root} (manifest), got ${tree.size} with ${tree.root()}`,
    )
  return hashes
}

/** Every group must have an item. */
export function checkGroupsUsed(
  groups: ReadonlyMap<number, string>,
  used: ReadonlySet<number>,
  problems: Problems,
): void {
  for (const group of groups.keys()) if (!used.has(group)) problems.whole('groups', `group ${group} has no item`)
}

/** Why content is outside the partition of its split; null: it is inside. */
export function partitionError(task: Task, split: string, shared: Json, given: Json): string | null {
  if (task.partition === undefined || task.partition.exempts?.({ shared, given }) === true) return null
  const bucket = bucketOf(task.partition, shared, given)
  if (bucket === null) return 'has content that this task cannot make'
  return bucketsOfSplit(split).includes(bucket) ? null : `is in partition bucket ${bucket}, not in the split "${split}"`
}

function bucketOf({ domain, key }: NonNullable<Task['partition']>, shared: Json, given: Json): number | null {
  try {
    return partitionBucket(domain, key({ shared, given }))
  } catch {
    return null
  }
}

/**
 * Compares the stored prompts with the manifest and with regenerated ones.
 * @param fresh - root of the regenerated prompts; null: not regenerated.
 */
export async function checkPrompts(
  dataset: Dataset,
  task: Task,
  source: Source | null,
  fresh: string | null,
  problems: Problems,
): Promise<void> {
  const { prompts } = dataset.manifest
  const kind = promptKindOf(dataset.manifest)
  if (prompts === null || kind === null) return
  const tree = new MerkleTree()
  for await (const row of promptRows(dataset, task, problems)) {
    tree.add(promptLeaf(row))
    const { id, index, style } = row
    if (typeof id !== 'string' || !id.endsWith(`/${String(index)}`) || style !== prompts.style)
      problems.whole('prompts', `the prompt of ${String(id)} has index ${String(index)} and style ${String(style)}`)
  }
  if (fresh !== null && fresh !== prompts.root)
    problems.whole('prompts', `expected the root ${prompts.root} (manifest), got ${fresh} from regenerated prompts`)
  if (tree.root() === prompts.root) return
  problems.whole('prompts', `expected the root ${prompts.root} (manifest), got ${tree.root()} from stored prompts`)
  if (source === null) return
  for await (const row of promptRows(dataset, task, problems)) {
    const index = row['index'] as number
    if (!isPromptOf(task, source, index, kind, row))
      problems.report({ check: 'prompts', index, message: 'the prompt differs from the regenerated one' })
  }
}

async function* promptRows(dataset: Dataset, task: Task, problems: Problems) {
  for (const shard of shardsOf(dataset, 'prompts'))
    for await (const rows of readableRows(dataset, task, shard, problems)) yield* rows
}

function isPromptOf(task: Task, source: Source, index: number, kind: PromptKind, row: Row): boolean {
  try {
    const item = source.item(index)
    return item.kind === 'item' && canonicalJson(promptRow(task, source, item, kind)) === canonicalJson(row)
  } catch (error) {
    if (isUsageError(error)) return false
    throw error
  }
}
