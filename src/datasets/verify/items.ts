import {
  canonicalConfig,
  type DatasetKey,
  MerkleTree,
  merkleLeaf,
  type Source,
  sortedJson,
  type Task,
} from '../../core/index.ts'
import type { Row } from '../../store/index.ts'
import { fromStoredRow, itemColumns } from '../columns.ts'
import type { Shard } from '../manifest.ts'
import { type Dataset, shardsOf } from '../open.ts'
import { itemRowHash } from '../row-hash.ts'
import { Tally } from '../tally.ts'
import { firstDifference } from './difference.ts'
import { readableRows } from './files.ts'
import { OrderCheck } from './order.ts'
import type { Problems } from './problems.ts'
import type { Fresh, Regenerated } from './regenerate.ts'

export interface ItemChecks {
  readonly task: Task
  /** null: nothing is made anew. */
  readonly source: Source | null
  readonly groups: ReadonlyMap<number, string>
  readonly fresh: Fresh
  /** Receives the numbers of the groups that items are of. */
  readonly used: Set<number>
  /** Further checks of one row. */
  readonly inspect?: (index: number, row: Row) => void
  readonly onRows: (rows: number) => void
}

/** Order, hashes, roots and content of the item rows. */
export async function checkItems(
  dataset: Dataset,
  { task, source, groups, fresh, used, inspect, onRows }: ItemChecks,
  problems: Problems,
): Promise<{ readonly rows: number; readonly regenerated: number; readonly tally: Tally }> {
  const { manifest } = dataset
  // The witness is a proof, not part of the item.
  const columns = itemColumns(task)
    .map(({ name }) => name)
    .filter((name) => name !== 'witness')
  const besidesProblem = columns.filter((name) => name !== 'given')
  const known = new Set([...columns, 'witness'])
  const sameKey = source !== null && canonicalConfig(hashedOf(source)) === canonicalConfig(hashedOf(manifest))
  /** Then it has the hash made anew: that covers the key, the group, and what stands in columns. */
  const isAsMade = (row: Row, made: Regenerated): boolean =>
    sameKey &&
    made.groupHash === (groups.get(row['group'] as number) ?? null) &&
    Object.keys(row).every((name) => known.has(name)) &&
    firstDifference(row, made.row, besidesProblem) === null &&
    sortedJson(row['given'] ?? null) === made.row['given']
  const order = new OrderCheck(manifest.first, manifest.first + manifest.indices)
  const tree = new MerkleTree(manifest.first)
  const tally = new Tally()
  let rows = 0
  let regenerated = 0
  for (const shard of shardsOf(dataset, 'items')) {
    const own = new MerkleTree(shard.first)
    for await (const batch of readableRows(dataset, task, shard, problems)) {
      for (const row of batch) {
        rows++
        const { index, hash, hole = null } = row
        if (typeof index !== 'number' || !Number.isSafeInteger(index) || typeof row['stratum'] !== 'number') {
          problems.whole('order', `row ${rows} of the items has no index or no stratum`)
          continue
        }
        if (hole !== null && typeof hole !== 'string') {
          problems.report({ check: 'hash', index, message: 'what should say why the place is empty is no text' })
          continue
        }
        order.see(index)
        tally.add(row)
        if (hole === null && typeof row['group'] === 'number') used.add(row['group'])
        if (typeof hash === 'string' && /^[0-9a-f]{64}$/u.test(hash)) {
          const leaf = merkleLeaf(hash)
          tree.add(leaf)
          own.add(leaf)
        }
        const made = await fresh.row(index)
        if (made !== null) regenerated++
        if (made === null || !isAsMade(row, made)) {
          const hashed = itemRowHash(manifest, row, groups)
          if (hashed !== hash)
            problems.report({ check: 'hash', index, message: 'the row does not have the hash stored with it' })
          const difference = made === null ? null : firstDifference(row, fromStoredRow(made.row), columns)
          if (difference !== null) problems.report({ check: 'item', index, ...difference })
        }
        inspect?.(index, row)
      }
      onRows(rows)
    }
    checkShard(shard, own, problems)
  }
  order.report(problems)
  if (tree.root() !== manifest.root)
    problems.whole('root', `the rows have the root ${tree.root()}, the manifest says ${manifest.root}`)
  return { rows, regenerated, tally }
}

/** What all hashes of a set cover. */
const hashedOf = ({ task, version, split, configHash }: Omit<DatasetKey, 'seed'>) => ({
  task,
  version,
  split,
  configHash,
})

function checkShard(shard: Shard, tree: MerkleTree, problems: Problems): void {
  if (tree.size !== shard.count || tree.subroots().join() !== (shard.subroots ?? []).join())
    problems.whole('root', `${shard.file} does not have the ${shard.count} rows and subroots that the manifest says`)
}
