import { KeySpace, rootKey, type Stream, shuffle, streamFromKey } from '../../../core/index.ts'
import { binned } from '../../../libraries/locality/columns.ts'
import { binomialUpper, normalQuantile } from '../../../libraries/statistics/index.ts'
import type { Feature } from '../features.ts'
import type { Scores } from '../measure.ts'
import { blocksOf, numbered } from '../statistic.ts'
import type { LocalItem, LocalRows } from './rows.ts'

/** The best lookup table of one group. */
export interface WorstGroup {
  readonly group: number
  readonly items: number
  /** Of the best table, fitted on each half and applied to the other. */
  readonly accuracy: number
  readonly table: string
  /** Fraction of permutations of the group's answers in which some table does as well. */
  readonly p: number
}
export interface WorstGroups {
  readonly probe: string
  readonly groups: number
  /** Groups above the 99 % quantile of their null distribution. */
  readonly above: number
  readonly ten: readonly WorstGroup[]
}

const PERMUTATIONS = 199
/** As many that do as well: p is above the tail, and drawing ends (Besag and Clifford 1991). */
const ENOUGH = 10
const TAIL = 0.01
const MIN_ITEMS = 24
const MAX_TABLES = 24
const BINS = 6
/** Groups tested, evenly spaced. */
const MAX_GROUPS = 400

interface Table {
  readonly name: string
  readonly cells: Uint16Array
}

/**
 * Lookup tables fitted to single groups: for each group the best table on held-out halves, compared with permuted answers.
 * By chance one group in a hundred is above the 99 % quantile of its null distribution. null: no group has enough items.
 */
export function worstGroups(
  rows: LocalRows,
  columns: readonly Feature[],
  probe: string,
): { readonly test: Scores['test']; readonly worst: WorstGroups } | null {
  const groups = blocksOf(rows.items.map(({ subject }) => subject.group))
  const large = [...Array(groups.count).keys()].filter(
    (b) => (groups.start[b + 1] as number) - (groups.start[b] as number) >= MIN_ITEMS,
  )
  const every = Math.max(1, Math.ceil(large.length / MAX_GROUPS))
  const tables = tablesOf(rows, columns)
  const space = new KeySpace(rootKey('touchstone/audit', 1, 'worst-groups', probe))
  const found: WorstGroup[] = []
  for (const b of large.filter((_, i) => i % every === 0)) {
    const order = groups.order.subarray(groups.start[b], groups.start[b + 1])
    const group = (rows.items[order[0] as number] as LocalItem).subject.group
    const own = bestTable(rows, order, tables, streamFromKey(space.key('perm', [group])))
    if (own !== null) found.push({ group, ...own })
  }
  if (found.length === 0) return null
  const above = found.filter(({ p }) => p <= TAIL).length
  const ten = [...found].sort((a, b) => a.p - b.p || b.accuracy - a.accuracy).slice(0, 10)
  return { test: testOf(probe, found.length, above), worst: { probe, groups: found.length, above, ten } }
}

function testOf(probe: string, groups: number, above: number): Scores['test'] {
  const p = binomialUpper(above - 1, groups, TAIL)
  const half = 2.5758293035489 * Math.sqrt((TAIL * (1 - TAIL)) / groups)
  const gain = above / groups - TAIL
  return {
    probe,
    kind: 'groups',
    mode: 'within',
    n: groups,
    z: Math.min(40, Math.max(-40, normalQuantile(Math.max(1e-300, Math.min(1 - 1e-12, 1 - p))))),
    p,
    method: 'binomial',
    accuracy: above / groups,
    chance: TAIL,
    gain,
    ci: [gain - half, gain + half],
  }
}

function tablesOf(rows: LocalRows, columns: readonly Feature[]): Table[] {
  const chosen = columns.slice(0, MAX_TABLES)
  const tables = binned(chosen, BINS).columns.map(
    (column, c): Table => ({ name: (chosen[c] as Feature).probe, cells: Uint16Array.from(column) }),
  )
  if (rows.items[0]?.anonymized.kind !== 'string') return tables
  const token = (name: string, at: number): Table => ({
    name,
    cells: Uint16Array.from(rows.items, ({ anonymized }) =>
      anonymized.kind === 'string' ? (anonymized.tokens.at(at) ?? -1) + 1 : 0,
    ),
  })
  return [
    token('first token', 0),
    token('second token', 1),
    token('last token', -1),
    token('last but one', -2),
    ...tables,
  ]
}

/** The best table of one group, and how often permuted answers do as well; null: all answers are equal. */
function bestTable(
  { keys, classes, blockLabels }: LocalRows,
  order: Int32Array,
  tables: readonly Table[],
  stream: Stream,
): Omit<WorstGroup, 'group'> | null {
  const own = Int32Array.from(order, (row) => keys[row] as number)
  if (own.every((key) => key === own[0])) return null
  const blocks = blocksOf(Array.from(order, (row) => blockLabels[row] as string))
  // Each block is split evenly, so that both halves hold all its answers.
  const half = new Uint8Array(order.length)
  for (const [i, at] of blocks.order.entries()) half[at] = i & 1
  /** By table and item: its cell in its half; the same cell of the other half is its number with the last bit turned. */
  const cells = tables.map((table) => {
    const inHalf = numbered(order.map((row) => table.cells[row] as number))
    return inHalf.map((cell, i) => 2 * cell + (half[i] as number))
  })
  const hits = (answers: Int32Array): number[] => cells.map((own) => hitsOf(own, answers, classes))
  const found = hits(own)
  const best = Math.max(...found)
  let asGood = 1
  let drawn = 1
  const permuted = own.slice()
  while (drawn <= PERMUTATIONS && asGood < ENOUGH) {
    drawn++
    for (let b = 0; b < blocks.count; b++) {
      const part = blocks.order.subarray(blocks.start[b], blocks.start[b + 1])
      const dealt = shuffle(
        stream,
        Array.from(part, (at) => own[at] as number),
      )
      for (const [j, at] of part.entries()) permuted[at] = dealt[j] as number
    }
    if (Math.max(...hits(permuted)) >= best - 1e-9) asGood++
  }
  return {
    items: order.length,
    accuracy: best / order.length,
    table: (tables[found.indexOf(best)] as Table).name,
    p: asGood / drawn,
  }
}

/** Items whose answer is the commonest of their cell in the other half; ties are shared. */
function hitsOf(cells: Int32Array, answers: Int32Array, classes: number): number {
  const counts = new Int32Array((cells.reduce((most, cell) => Math.max(most, cell), 0) + 2) * classes)
  for (let i = 0; i < answers.length; i++) {
    const at = (cells[i] as number) * classes + (answers[i] as number)
    counts[at] = (counts[at] as number) + 1
  }
  let hits = 0
  for (let i = 0; i < answers.length; i++) {
    const from = ((cells[i] as number) ^ 1) * classes
    const mine = counts[from + (answers[i] as number)] as number
    let ties = 0
    for (let k = 0; k < classes && ties >= 0; k++) {
      const n = counts[from + k] as number
      if (n > mine) ties = -1
      else if (n === mine) ties++
    }
    if (ties > 0) hits += 1 / ties
  }
  return hits
}
