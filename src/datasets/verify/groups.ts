import { bucketsOfSplit, type Json, MerkleTree, merkleLeaf, partitionBucket, type Task } from '../../core/index.ts'
import { type Dataset, shardsOf } from '../open.ts'
import { groupRowHash } from '../row-hash.ts'
import { readableRows } from './files.ts'
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
