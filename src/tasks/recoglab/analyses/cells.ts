import type { Column, Estimate, Frame } from '../../../core/analysis.ts'
import {
  allRows,
  byContestant,
  clusterCodes,
  clusteredShare,
  contestants,
  inOrder,
  mcnemarOf,
  pairedDifference,
  partition,
  scores,
  take,
} from '../../../stats/index.ts'

export const paper = 'ReCogLab (Liu et al., ICLR 2025)'

export const text = (key: string, label: string): Column => ({ key, label, kind: 'text' })
export const number = (key: string, label: string, unit?: string): Column => ({
  key,
  label,
  kind: 'number',
  ...(unit === undefined ? {} : { unit }),
})
export const estimate = (key: string, label: string, unit = 'share'): Column => ({ key, label, unit, kind: 'estimate' })

/** A level as a number where it is one, else as it stands. */
export const level = (value: string | null): string | number | null =>
  value !== null && value !== '' && Number.isFinite(Number(value)) ? Number(value) : value

/** One model's rows that agree on some columns. */
export interface Cell {
  readonly model: string
  readonly key: { readonly [column: string]: string | null }
  readonly rows: Int32Array
  /** Full marks over all planned cells but the failed ones, clustered by group. */
  readonly accuracy: Estimate
}

/** Accuracy of every model at every combination of levels, in reading order; cells with nothing counted are left out. */
export function accuracyBy(frame: Frame, columns: readonly string[]): Cell[] {
  const value = scores(frame)
  const who = contestants(frame)
  const usable = allRows(frame).filter((row) => !Number.isNaN(value[row] as number))
  const cells = byContestant(who, usable).flatMap(({ contestant, rows }) =>
    partition(frame, columns, rows).flatMap((part): Cell[] => {
      const accuracy = clusteredShare(take(value, part.rows), clusterCodes(frame, part.rows))
      return accuracy === null ? [] : [{ model: contestant, key: part.key, rows: part.rows, accuracy }]
    }),
  )
  const ranks = columns.map((column) => inOrder(new Set(cells.map((cell) => cell.key[column] ?? null))))
  const models = [...new Set(cells.map((cell) => cell.model))]
  return cells.sort((a, b) => {
    const byModel = models.indexOf(a.model) - models.indexOf(b.model)
    if (byModel !== 0) return byModel
    for (const [i, column] of columns.entries()) {
      const rank = ranks[i] as (string | null)[]
      const order = rank.indexOf(a.key[column] ?? null) - rank.indexOf(b.key[column] ?? null)
      if (order !== 0) return order
    }
    return 0
  })
}

/** The mean of a column over rows, without the missing; null where all are. */
export function meanOf(frame: Frame, column: string, rows: Int32Array): number | null {
  if (!frame.has(column)) return null
  const values = take(frame.number(column), rows).filter((value) => !Number.isNaN(value))
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Two conditions compared on the items they share. */
export interface Paired {
  readonly model: string
  readonly pairs: number
  readonly difference: Estimate
  /** Two-sided, clustered t. */
  readonly p: number
  /** McNemar's mid-p, which takes pairs as independent. */
  readonly midP: number
}

/**
 * Condition `a` less condition `b` of a column, per model, on items that share index and seed (column `draw`), style and
 * sample, and agree on the other columns. Configs share their randomness, so these have one content.
 */
export function pairedBy(frame: Frame, column: string, a: string, b: string, alike: readonly string[] = []): Paired[] {
  const value = scores(frame)
  const { codes, levels } = frame.category(column)
  const same = ['draw', 'style', 'sample', ...alike]
    .filter((name) => frame.has(name))
    .map((name) => frame.category(name).codes)
  const usable = allRows(frame).filter((row) => !Number.isNaN(value[row] as number))
  return byContestant(contestants(frame), usable).flatMap(({ contestant, rows }): Paired[] => {
    const first = new Map<string, number>()
    const second = new Map<string, number>()
    for (const row of rows) {
      const which = levels[codes[row] as number]
      if (which !== a && which !== b) continue
      const key = same.map((list) => list[row]).join(' ')
      const side = which === a ? first : second
      if (!side.has(key)) side.set(key, row)
    }
    const both = [...first.keys()].filter((key) => second.has(key))
    const x = both.map((key) => value[first.get(key) as number] as number)
    const y = both.map((key) => value[second.get(key) as number] as number)
    const draws = frame.category('draw').codes
    const found = pairedDifference(
      x,
      y,
      Int32Array.from(both, (key) => draws[first.get(key) as number] as number),
    )
    if (found === null) return []
    const full = (list: readonly number[]) => list.map((v) => v >= 1)
    return [
      {
        model: contestant,
        pairs: both.length,
        difference: found.difference,
        p: found.p,
        midP: mcnemarOf(full(x), full(y)).midP,
      },
    ]
  })
}

/** Columns and rows of a table of paired differences. */
export const pairedColumns: readonly Column[] = [
  text('model', 'Model'),
  text('comparison', 'Comparison'),
  number('pairs', 'Pairs'),
  estimate('difference', 'Difference in accuracy', 'difference'),
  number('p', 'p (clustered t)'),
  number('midP', 'p (McNemar, mid-p)'),
]

export const pairedRows = (comparison: string, pairs: readonly Paired[]) =>
  pairs.map(({ model, pairs: n, difference, p, midP }) => ({ model, comparison, pairs: n, difference, p, midP }))

/** Levels of a column that occur, in reading order. */
export function levelsOf(frame: Frame, column: string): string[] {
  const { codes, levels } = frame.category(column)
  const used = new Set(codes)
  return inOrder(levels.filter((_, code) => used.has(code))) as string[]
}
