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
import { breach } from './groups.ts'
import { readableRows } from './manifest.ts'
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

/** Missing indices that are remembered one by one: a forged manifest may speak of any number. */
const MAX = 1_000_000

/** Which indices came, in which order: gaps that are filled later are rows out of place, the rest are missing. */
export class OrderCheck {
  /** Indices that are missing so far, the first of them, and how many further ones there are. */
  private readonly missing = new Set<number>()
  private further = 0
  private readonly misplaced = new Set<number>()
  private readonly strange: number[] = []
  private readonly first: number
  private readonly end: number
  private next: number

  constructor(first: number, end: number) {
    this.first = first
    this.end = end
    this.next = first
  }

  see(index: number): void {
    if (index < this.first || index >= this.end) this.strange.push(index)
    else if (index >= this.next) {
      this.skip(index)
      this.next = index + 1
    } else if (this.missing.delete(index)) this.misplaced.add(index)
    else this.strange.push(index)
  }

  /** Nothing stands between the next index expected and this one. */
  private skip(to: number): void {
    const told = Math.min(to, this.next + Math.max(0, MAX - this.missing.size))
    for (let i = this.next; i < told; i++) this.missing.add(i)
    this.further += Math.max(0, to - Math.max(told, this.next))
  }

  report(problems: Problems): void {
    this.skip(this.end)
    if (this.further > 0) problems.whole('order', `${this.further} further rows are missing`)
    for (const index of this.missing) problems.report({ check: 'order', index, message: 'the row is missing' })
    for (const index of this.misplaced) problems.report({ check: 'order', index, message: 'the row is out of order' })
    for (const index of this.strange)
      problems.report({
        check: 'order',
        index,
        message:
          index < this.first || index >= this.end
            ? `the set ends before it (${this.first} to ${this.end - 1})`
            : 'the row is there twice',
      })
  }
}

export interface Difference {
  readonly path: string
  readonly message: string
}

/** The first column, and path inside it, in which a stored row is not what was made anew. */
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
  return { path, message: `${path} is ${brief(a)}, made anew it is ${brief(b)}` }
}

const brief = (value: Json): string => {
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

/** Asks the oracle about a stored answer, checks its witness (made anew where none is stored) and its fence. */
export function checkAnswer(task: Task, source: Source, index: number, row: Row, problems: Problems): void {
  if ((row['hole'] ?? null) !== null) return
  const group = source.group(row['group'] as number)
  if (group.kind === 'unreachable') return
  const { shared } = group
  const given = row['given'] ?? null
  const problem = { shared, given, answer: row['answer'] ?? null }
  const attempt = (check: 'oracle' | 'witness' | 'fence', message: string, holds: () => boolean): void => {
    let error = ''
    try {
      if (holds()) return
    } catch (thrown) {
      // A changed row may be anything.
      error = ` (${thrown instanceof Error ? thrown.message : thrown})`
    }
    problems.report({ check, index, message: message + error })
  }
  attempt('oracle', 'the oracle does not accept the stored answer', () =>
    task.oracle({ shared, given }, problem.answer),
  )
  attempt('witness', 'the witness does not prove the answer', () => {
    const stored = row['witness']
    return task.check(problem, typeof stored === 'string' ? (JSON.parse(stored) as Json) : task.witness(problem))
  })
  if (task.partition?.of === 'item')
    attempt(
      'fence',
      'the item lies outside the fence of its split',
      () => breach(task, source.split, shared, given) === null,
    )
}
