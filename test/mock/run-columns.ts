import type { ColumnSpec, Row, RunColumns } from '../../src/store/index.ts'
import { NumberBuilder, TextBuilder } from '../../src/store/rows/column.ts'

/** Rows as the columns that a ledger with these rows gives. */
export function runColumns(specs: readonly ColumnSpec[], rows: readonly Row[]): RunColumns {
  const columns = specs.map(({ name, type }) => {
    const texts = new TextBuilder(rows.length)
    const numbers = new NumberBuilder(rows.length)
    for (const [row, { [name]: value = null }] of rows.entries()) {
      if (value === null) continue
      if (type === 'text') texts.set(row, String(value))
      else numbers.set(row, Number(value))
    }
    return [name, (type === 'text' ? texts : numbers).done()] as const
  })
  return { length: rows.length, specs, columns: new Map(columns), features: {} }
}
