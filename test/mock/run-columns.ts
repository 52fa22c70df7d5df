import { type ColumnSpec, framesOf, type Row, type RunColumns, type RunFrames } from '../../src/store/index.ts'
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

/** Frames of rows; the type of a column is that of its first value, and nested JSON becomes its text. */
export async function framesFromRows(given: Iterable<Row> | AsyncIterable<Row | readonly Row[]>): Promise<RunFrames> {
  const rows: Row[] = []
  for await (const batch of given)
    for (const row of [batch].flat())
      rows.push(
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
          ]),
        ),
      )
  return framesOf(runColumns(specsOf(rows), rows))
}

export const specsOf = (rows: readonly Row[]): readonly ColumnSpec[] =>
  [...new Set(rows.flatMap((row) => Object.keys(row)))].map((name) => {
    const value = rows.map((row) => row[name]).find((one) => one !== null && one !== undefined)
    return { name, type: typeof value === 'string' ? 'text' : typeof value === 'boolean' ? 'boolean' : 'number' }
  })
