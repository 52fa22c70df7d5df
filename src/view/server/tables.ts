import type { Json, Table } from '../../core/index.ts'
import type { ShownTable } from '../api/index.ts'

/** A table of the report as a document. */
export const plainTable = ({ id, title, columns, rows }: Table): ShownTable => ({
  id,
  title,
  columns: columns.map(({ key, label, kind, unit }) => ({ key, label, kind, ...(unit === undefined ? {} : { unit }) })),
  // A document of JSON, as it will be when it arrives.
  rows: JSON.parse(JSON.stringify(rows)) as { [key: string]: Json }[],
})
