import {
  canonicalConfig,
  type DatasetKey,
  isArray,
  isObject,
  type Json,
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
import { itemRowHash, Tally } from '../stored-rows.ts'
import { partitionError } from './groups.ts'
import { readableRows } from './manifest.ts'
import { brief, type Problems } from './problems.ts'
import type { Regenerated, Regeneration } from './regenerate.ts'

export interface ItemChecks {
  readonly task: Task
  /** null: nothing is regenerated. */
  readonly source: Source | null
  readonly groups: ReadonlyMap<number, string>
  readonly fresh: Regeneration
  /** Receives the groups of the items. */
  readonly used: Set<number>
  /** Further checks of one row. */
  readonly inspect?: (index: number, row: Row) => void
  readonly onRows: (rows: number) => void
}

/** Checks order, hashes, roots and content of the item rows. */
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
  const otherColumns = columns.filter((name) => name !== 'given')
  const known = new Set([...columns, 'witness'])
  const sameKey = source !== null && canonicalConfig(keyOf(source)) === canonicalConfig(keyOf(manifest))
  /** True if the row equals the regenerated one in all that its hash covers; then the hash is right, too. */
  const isSame = (row: Row, own: Regenerated): boolean =>
    sameKey &&
    own.groupHash === (groups.get(row['group'] as number) ?? null) &&
    Object.keys(row).every((name) => known.has(name)) &&
    firstDifference(row, own.row, otherColumns) === null &&
    sortedJson(row['given'] ?? null) === own.row['given']
  const order = new OrderCheck(manifest.first, manifest.first + manifest.indices, problems)
  const tree = new MerkleTree(manifest.first)
  const tally = new Tally()
  let rows = 0
  let regenerated = 0
  for (const shard of shardsOf(dataset, 'items')) {
    const shardTree = new MerkleTree(shard.first)
    for await (const batch of readableRows(dataset, task, shard, problems)) {
      for (const row of batch) {
        rows++
        const { index, hash, hole = null } = row
        if (typeof index !== 'number' || !Number.isSafeInteger(index) || typeof row['stratum'] !== 'number') {
          problems.whole('order', `row ${rows} of the items has no index or no stratum`)
          continue
        }
        if (hole !== null && typeof hole !== 'string') {
          problems.report({ check: 'hash', index, message: '`hole` must be a text' })
          continue
        }
        order.add(index)
        tally.add(row)
        if (hole === null && typeof row['group'] === 'number') used.add(row['group'])
        if (typeof hash === 'string' && /^[0-9a-f]{64}$/u.test(hash)) {
          const leaf = merkleLeaf(hash)
          tree.add(leaf)
          shardTree.add(leaf)
        }
        const own = await fresh.row(index)
        if (own !== null) regenerated++
        if (own === null || !isSame(row, own)) {
          const hashed = itemRowHash(manifest, row, groups)
          if (hashed !== hash)
            problems.report({ check: 'hash', index, message: 'the row differs from its stored hash' })
          const difference = own === null ? null : firstDifference(row, fromStoredRow(own.row), columns)
          if (difference !== null) problems.report({ check: 'item', index, ...difference })
        }
        inspect?.(index, row)
      }
      onRows(rows)
    }
    checkShard(shard, shardTree, problems)
  }
  order.finish()
  if (tree.root() !== manifest.root)
    problems.whole('root', `expected the root ${manifest.root} (manifest), got ${tree.root()}`)
  return { rows, regenerated, tally }
}

/** The fields that all hashes of a dataset cover. */
const keyOf = ({ task, version, split, configHash }: Omit<DatasetKey, 'seed'>) => ({
  task,
  version,
  split,
  configHash,
})

function checkShard(shard: Shard, tree: MerkleTree, problems: Problems): void {
  if (tree.size !== shard.count || tree.subroots().join() !== (shard.subroots ?? []).join())
    problems.whole('root', `${shard.file} differs from the manifest in rows or subroots (${shard.count} rows expected)`)
}

/** Missing rows reported one by one: a forged manifest may claim any number. */
const MAX_MISSING = 500

/** Rows must come in the order of their indices, each once. */
class OrderCheck {
  private readonly problems: Problems
  private readonly first: number
  private readonly end: number
  private next: number

  constructor(first: number, end: number, problems: Problems) {
    this.problems = problems
    this.first = first
    this.end = end
    this.next = first
  }

  add(index: number): void {
    if (index < this.first || index >= this.end)
      this.report(index, `the dataset has indices ${this.first} to ${this.end - 1}`)
    else if (index < this.next) this.report(index, 'the row occurs twice, or after a later one')
    else this.skipTo(index)
  }

  finish(): void {
    this.skipTo(this.end)
  }

  private skipTo(index: number): void {
    const shown = Math.min(index, this.next + MAX_MISSING)
    for (let missing = this.next; missing < shown; missing++) this.report(missing, 'the row is missing here')
    if (index > shown) this.problems.whole('order', `${index - shown} further rows are missing`)
    this.next = index + 1
  }

  private report(index: number, message: string): void {
    this.problems.report({ check: 'order', index, message })
  }
}

export interface Difference {
  readonly path: string
  readonly message: string
}

/** The first path at which a stored row differs from the regenerated one. */
export function firstDifference(stored: Row, fresh: Row, columns: readonly string[]): Difference | null {
  for (const column of columns) {
    const found = differ(stored[column] ?? null, fresh[column] ?? null, column)
    if (found !== null) return found
  }
  return null
}

function differ(a: Json, b: Json, path: string): Difference | null {
  if (isArray(a) && isArray(b) && a.length === b.length) {
    for (let i = 0; i < a.length; i++) {
      const found = differ(a[i] as Json, b[i] as Json, `${path}[${i}]`)
      if (found !== null) return found
    }
    return null
  }
  if (isObject(a) && isObject(b)) {
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const found =
        Object.hasOwn(a, name) && Object.hasOwn(b, name)
          ? differ(a[name] as Json, b[name] as Json, `${path}.${name}`)
          : {
              path: `${path}.${name}`,
              message: `${path}.${name} is ${Object.hasOwn(a, name) ? 'not part of' : 'missing from'} the item`,
            }
      if (found !== null) return found
    }
    return null
  }
  if (a === b) return null
  return { path, message: `${path}: expected ${brief(b)}, got ${brief(a)}` }
}

/** Checks a stored answer by the oracle, its witness (regenerated if not stored) and its split partition. */
export function checkAnswer(task: Task, source: Source, index: number, row: Row, problems: Problems): void {
  if ((row['hole'] ?? null) !== null) return
  const group = source.group(row['group'] as number)
  if (group.kind === 'unreachable') return
  const { shared } = group
  const given = row['given'] ?? null
  const problem = { shared, given, answer: row['answer'] ?? null }
  const attempt = (check: 'oracle' | 'witness' | 'partition', message: string, holds: () => boolean): void => {
    let error = ''
    try {
      if (holds()) return
    } catch (thrown) {
      error = ` (${thrown instanceof Error ? thrown.message : thrown})`
    }
    problems.report({ check, index, message: message + error })
  }
  attempt('oracle', 'the oracle rejects the stored answer', () => task.oracle({ shared, given }, problem.answer))
  attempt('witness', 'the witness does not prove the answer', () => {
    const stored = row['witness']
    return task.check(problem, typeof stored === 'string' ? (JSON.parse(stored) as Json) : task.witness(problem))
  })
  if (task.partition?.of === 'item')
    attempt(
      'partition',
      'the item is outside the partition of its split',
      () => partitionError(task, source.split, shared, given) === null,
    )
}
