import { type AnalysisResult, column, type Figure, type Frame, type Table } from '../core/index.ts'
import { CHANCE } from './blind.ts'

/** What the axis of an accuracy says. */
const ACCURACY = /accuracy|pass rate|correct/i

/**
 * The figures of one task that show accuracies, with chance where they draw no line of their own: that of their table, which
 * knows the items of each row, or that of all items where it is the same of each.
 */
export function withChance({ tables, figures = [] }: AnalysisResult, frame: Frame): AnalysisResult {
  const own = new Set(tables.filter(({ columns }) => columns.some(({ key }) => key === CHANCE)).map(({ id }) => id))
  const same = sameChance(frame)
  const isDrawn = (figure: Figure): boolean => wanting(figure) && (own.has(figure.table) || same !== null)
  const widened = new Set(figures.filter(isDrawn).map(({ table }) => table))
  return {
    tables: tables.map((table) => (widened.has(table.id) && !own.has(table.id) ? added(table, same) : table)),
    figures: figures.map((figure) => (isDrawn(figure) ? lined(figure, own.has(figure.table) ? CHANCE : KEY) : figure)),
  }
}

/** null where items differ in it, or it is known of none of a config: it is worked out for some items of each. */
function sameChance(frame: Frame): number | null {
  if (!frame.has(CHANCE) || !frame.has('config')) return null
  const values = frame.number(CHANCE)
  const { codes, levels } = frame.category('config')
  const known = new Set<number>()
  const configs = new Set<number>()
  values.forEach((value, row) => {
    if (Number.isNaN(value)) return
    known.add(value)
    configs.add(codes[row] as number)
  })
  const [chance] = known
  return chance !== undefined && known.size === 1 && configs.size === levels.length ? chance : null
}

const wanting = (figure: Figure): boolean =>
  figure.y.unit === 'share' &&
  ACCURACY.test(figure.y.label) &&
  !figure.marks.some(({ kind }) => ['rule', 'reference', 'cell'].includes(kind))

const KEY = 'chanceOfTask'

const added = (table: Table, chance: number | null): Table => ({
  ...table,
  columns: [...table.columns, column.share(KEY, 'Chance')],
  rows: table.rows.map((row) => ({ ...row, [KEY]: chance })),
})

const lined = (figure: Figure, y: string): Figure => ({ ...figure, marks: [{ kind: 'reference', y }, ...figure.marks] })
