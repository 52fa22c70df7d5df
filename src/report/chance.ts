import type { AnalysisResult, Figure, Frame, Table } from '../core/index.ts'
import { allRows } from '../stats/index.ts'
import { blindOf } from './blind.ts'

/** What the axis of an accuracy says. */
const ACCURACY = /accuracy|pass rate|correct/i

/** The figures of one task that show accuracies, with chance over all its items where they draw no line of their own. */
export function withChance({ tables, figures = [] }: AnalysisResult, frame: Frame): AnalysisResult {
  const chance = blindOf(frame, undefined, allRows(frame))?.chance(allRows(frame)) ?? null
  const drawn = new Set(chance === null ? [] : figures.filter(wanting).map(({ table }) => table))
  if (drawn.size === 0) return { tables, figures }
  return {
    tables: tables.map((table) => (drawn.has(table.id) ? added(table, chance) : table)),
    figures: figures.map((figure) => (wanting(figure) ? lined(figure) : figure)),
  }
}

const wanting = (figure: Figure): boolean =>
  figure.y.unit === 'share' &&
  ACCURACY.test(figure.y.label) &&
  !figure.marks.some(({ kind }) => ['rule', 'reference', 'cell'].includes(kind))

const KEY = 'chanceOfTask'

const added = (table: Table, chance: number | null): Table => ({
  ...table,
  columns: [...table.columns, { key: KEY, label: 'Chance', kind: 'share', unit: 'share' }],
  rows: table.rows.map((row) => ({ ...row, [KEY]: chance })),
})

const lined = (figure: Figure): Figure => ({ ...figure, marks: [{ kind: 'reference', y: KEY }, ...figure.marks] })
