import type { Table } from '../../core/index.ts'
import { CONDITION_KEYS, conditionName, isSignificant } from '../significance.ts'

/** The pairs of one condition. */
export interface Part {
  readonly name: string
  /** Significant pairs; null where the table has no tests. */
  readonly significant: number | null
  /** The smallest p first, without the columns that name the condition. */
  readonly table: Table
}

/** Most pairs shown as one list. */
const MAX_LIST = 12

/** A long table of pairs by condition; null for any other table, which is one list. */
export function partsOf(table: Table): readonly Part[] | null {
  const has = (key: string): boolean => table.columns.some((column) => column.key === key)
  if (table.rows.length <= MAX_LIST || !has('a') || !has('b')) return null
  const conditions = [...Map.groupBy(table.rows, conditionName)]
  if (conditions.length < 2) return null
  const columns = table.columns.filter(({ key }) => !CONDITION_KEYS.includes(key))
  const tests = has('holm')
  return conditions.map(([name, rows]) => ({
    name,
    significant: tests ? rows.filter(isSignificant).length : null,
    table: { ...table, columns, rows: tests ? rows.toSorted((a, b) => Number(a['holm']) - Number(b['holm'])) : rows },
  }))
}
