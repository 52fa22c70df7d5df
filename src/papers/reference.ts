import type { Column, Table } from '../core/index.ts'
import pbebench from './reference/pbebench.json' with { type: 'json' }
import proficiency from './reference/proficiency.json' with { type: 'json' }
import relic from './reference/relic.json' with { type: 'json' }

/** A table as a paper prints it: facts to put beside a result, never mixed with one. */
export interface ReferenceTable extends Table {
  /** What the paper calls it: `Table 3`. */
  readonly item: string
  /** Where it stands: the section or appendix that it belongs to. */
  readonly place: string
  /** What is odd about the printed numbers. */
  readonly notes: readonly string[]
}

type Written = Omit<ReferenceTable, 'columns' | 'notes'> & {
  readonly columns: readonly { readonly key: string; readonly label: string; readonly kind: string }[]
  readonly notes?: readonly string[]
}

/** The printed results of the papers' tables, in the order of the papers. */
export const referenceTables: readonly ReferenceTable[] = [...relic, ...pbebench, ...proficiency].map(
  (table: Written): ReferenceTable => ({
    ...table,
    columns: table.columns as readonly Column[],
    notes: table.notes ?? [],
  }),
)

/** The printed table of an entry of the atlas; null where the paper prints no numbers for it. */
export const referenceTable = (id: string): ReferenceTable | null =>
  referenceTables.find((table) => table.id === id) ?? null
