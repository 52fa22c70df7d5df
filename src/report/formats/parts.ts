import type { Table } from '../../core/index.ts'
import { isToldApart, SET_KEYS, setOf } from '../told-apart.ts'

/** The pairs on one set of items. */
export interface Part {
  readonly set: string
  /** How many of them are told apart; null where the table does not say. */
  readonly told: number | null
  /** Those told apart most surely first, without the columns that name the set. */
  readonly table: Table
}

/** Pairs that are read as one list, of whatever sets they are. */
const ONE_LIST = 12

/** A long table of pairs on several sets of items, set by set; null for any other: it is one list. */
export function partsOf(table: Table): readonly Part[] | null {
  const has = (key: string): boolean => table.columns.some((column) => column.key === key)
  if (table.rows.length <= ONE_LIST || !has('a') || !has('b')) return null
  const sets = [...Map.groupBy(table.rows, setOf)]
  if (sets.length < 2) return null
  const columns = table.columns.filter(({ key }) => !SET_KEYS.includes(key))
  const tests = has('holm')
  return sets.map(([set, rows]) => ({
    set,
    told: tests ? rows.filter(isToldApart).length : null,
    table: { ...table, columns, rows: tests ? rows.toSorted((a, b) => Number(a['holm']) - Number(b['holm'])) : rows },
  }))
}
