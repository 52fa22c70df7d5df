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

/** Hashes, root and fence of the groups; returns the hash of each by its number. */
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
          problems.whole('groups', `group ${row['group']} does not have the hash stored with it`)
        if (hash === null) continue
        tree.add(merkleLeaf(hash))
        const number = row['group'] as number
        if (hashes.has(number)) problems.whole('groups', `group ${number} is there twice`)
        hashes.set(number, hash)
        const outside = task.partition?.of === 'group' ? breach(task, manifest.split, shared, null) : null
        if (outside !== null) problems.whole('fence', `group ${row['group']} ${outside}`)
      }
  if (tree.size !== manifest.groups.count || tree.root() !== manifest.groups.root)
    problems.whole(
      'groups',
      `${tree.size} groups with root ${tree.root()}, the manifest says ${manifest.groups.count} with ${manifest.groups.root}`,
    )
  return hashes
}

/** Groups that no item is of are no part of a set. */
export function checkUse(groups: ReadonlyMap<number, string>, used: ReadonlySet<number>, problems: Problems): void {
  for (const group of groups.keys())
    if (!used.has(group)) problems.whole('groups', `group ${group} is stored, but no item is of it`)
}

/** Where content lies, if that is not where its split may draw from. */
export function breach(task: Task, split: string, shared: Json, given: Json): string | null {
  if (task.partition === undefined) return null
  const region = regionOf(task.partition, shared, given)
  if (region === null) return 'holds nothing that this task could have made'
  return bucketsOfSplit(split).includes(region)
    ? null
    : `lies in fence region ${region}, which is not one of the split "${split}"`
}

function regionOf({ domain, key }: NonNullable<Task['partition']>, shared: Json, given: Json): number | null {
  try {
    return partitionBucket(domain, key({ shared, given }))
  } catch {
    return null
  }
}

/**
 * Are the stored prompts those of the manifest, and those made anew? Where they are not, says which.
 * @param fresh - the root of the prompts made anew; null where they were not.
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
      problems.whole(
        'prompts',
        `the prompt of ${String(id)} says it is of index ${String(index)} in style ${String(style)}`,
      )
  }
  if (fresh !== null && fresh !== prompts.root)
    problems.whole('prompts', `made anew the prompts have the root ${fresh}, the manifest says ${prompts.root}`)
  if (tree.root() === prompts.root) return
  problems.whole('prompts', `the stored prompts have the root ${tree.root()}, the manifest says ${prompts.root}`)
  if (source === null) return
  for await (const row of promptRows(dataset, task, problems)) {
    const index = row['index'] as number
    if (!isPromptOf(task, source, index, kind, row))
      problems.report({ check: 'prompts', index, message: 'the prompt is not the one made anew' })
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
