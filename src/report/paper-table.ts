import {
  column,
  type Estimate,
  type Figure,
  optional,
  type Paper,
  type PaperComparison,
  type PaperValue,
  type PrintedTable,
  type Table,
  table,
} from '../core/index.ts'
import type { PrintedResult, ReportedAnalysis } from './report.ts'

const NOTES = [
  'Paper: results of the paper’s models on the paper’s items, as printed. They enter no statistic of this report.',
  "Published: the paper's definitions on this run's responses. Corrected: ours.",
]

/** A printed table: compared with ours where the run has anything to compare, and as it is printed. */
export function paperAnalysis(
  { paper, printed, besideOnly }: PrintedResult,
  analyses: readonly ReportedAnalysis[],
): readonly ReportedAnalysis[] {
  const { id, item, place, title, apart, columns, rows } = printed
  const tables = analyses.flatMap((analysis) => analysis.tables)
  const compared = paperTable(paper, printed, tables)
  if (compared === null && besideOnly) return []
  const notes = compared === null ? NOTES.slice(0, 1) : NOTES
  const drawn = figuresWithPaper(paper, printed, analyses)
  return [
    {
      id: `paper/${id}`,
      title: `${item} as the paper prints it: ${title}`,
      question: 'paper',
      task: null,
      source: { paper: paper.title, item: `${item}, ${place}` },
      notes: [...notes, ...(apart === undefined ? [] : [apart]), ...readOffNotes(printed), ...(printed.notes ?? [])],
      tables: [
        ...(compared === null ? [] : [compared]),
        { id: `paper/${id}`, title, columns, rows },
        ...drawn.map(([, over]) => over),
      ],
      figures: drawn.map(([one]) => one),
    },
  ]
}

const readOffNotes = ({ readOff }: PrintedTable): readonly string[] =>
  readOff === undefined ? [] : [`Not printed: read off ${readOff.source}, ± ${readOff.error}.`]

/** The figures of a report that a printed table adds series to, each with its table. */
export function figuresWithPaper(
  paper: Paper,
  printed: PrintedTable,
  analyses: readonly Pick<ReportedAnalysis, 'figures' | 'tables'>[],
): readonly (readonly [Figure, Table])[] {
  const overlays = (paper.overlays ?? []).filter((one) => one.printed === printed.id)
  return overlays.flatMap((overlay) =>
    analyses.flatMap(({ figures, tables }) =>
      figures
        .filter((one) => one.id === overlay.figure && one.facet === undefined)
        .flatMap((one): (readonly [Figure, Table])[] => {
          const over = tables.find((found) => found.id === one.table)
          if (over === undefined) return []
          const id = `paper/${printed.id}-drawn`
          const rows = [...over.rows, ...inUnitsOf(over, printed).map(overlay.row)]
          return [
            [
              { ...one, id, table: id, title: `${one.title}, with ${printed.item}` },
              { ...over, id, rows },
            ],
          ]
        }),
    ),
  )
}

/** The rows of a printed table, with percents as shares where the run's table has shares under the same key. */
function inUnitsOf(over: Table, { columns, rows }: PrintedTable): Table['rows'] {
  const unitOf = (all: Table['columns'], key: string) => all.find((one) => one.key === key)?.unit
  const percents = columns.filter(({ key, unit }) => unit === '%' && unitOf(over.columns, key) === 'share')
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(
      percents.flatMap(({ key }) => {
        const value = row[key]
        return typeof value === 'number' ? [[key, value / 100] as const] : []
      }),
    ),
  }))
}

/** The numbers of a printed table and those of a run, row by row; null where the run has nothing to compare. */
export function paperTable(paper: Paper, printed: PrintedTable, tables: readonly Table[]): Table | null {
  const lines = paper.paperComparisons
    .filter((one) => one.printed === printed.id)
    .flatMap((one) => linesOf(one, printed, tables))
  if (lines.every(({ ours }) => !ours)) return null
  return table(
    `paper/${printed.id}-beside`,
    `${printed.item}: paper, published and corrected`,
    [
      column.text('row', 'Row'),
      optional(column.text('set', 'Items of the run')),
      column.text('measure', 'Measure'),
      column.number('paper', `Paper: ${printed.item}, ${printed.place}`),
      column.number('published', 'Published'),
      column.number('corrected', 'Corrected'),
      column.number('publishedLess', 'Published − paper'),
      column.number('correctedLess', 'Corrected − published'),
      column.text('reason', 'Why'),
    ],
    lines.map(({ row }) => row),
  )
}

interface Line {
  readonly row: Table['rows'][number]
  /** The run has a number in it. */
  readonly ours: boolean
}

/** The rows of one measure: those of the paper in its order, each with every set of ours; then what only we have. */
function linesOf(comparison: PaperComparison, printed: PrintedTable, tables: readonly Table[]): readonly Line[] {
  const paper = comparison.paper(printed)
  const published = byRowAndSet(comparison.published?.(tables) ?? [])
  const corrected = byRowAndSet(comparison.corrected?.(tables) ?? [])
  const ours = [...new Map([...published, ...corrected])]
    .map(([key, { row, set }]) => ({
      row,
      set,
      published: published.get(key)?.value ?? null,
      corrected: corrected.get(key)?.value ?? null,
    }))
    .filter((own) => own.published !== null || own.corrected !== null)
  const line = (row: string, printedValue: PaperValue | null, own: (typeof ours)[number] | null): Line => {
    const [inPaper, inRun] = [printedValue?.value ?? null, own?.published ?? null]
    return {
      ours: own !== null,
      row: {
        row,
        set: own?.set ?? null,
        measure: comparison.measure,
        paper: inPaper,
        published: inRun,
        corrected: own?.corrected ?? null,
        publishedLess: difference(inRun, inPaper),
        correctedLess: difference(own?.corrected ?? null, inRun ?? inPaper),
        reason: reasonOf(comparison, printedValue !== null, own !== null),
      },
    }
  }
  const known = new Set(paper.map(({ row }) => row))
  return [
    ...paper.flatMap((value) => {
      const found = ours.filter((own) => own.row === value.row)
      return found.length === 0 ? [line(value.row, value, null)] : found.map((own) => line(value.row, value, own))
    }),
    ...ours.filter(({ row }) => !known.has(row)).map((own) => line(own.row, null, own)),
  ]
}

function reasonOf({ reason }: PaperComparison, inPaper: boolean, inRun: boolean): string {
  if (!inRun) return 'This run has no such number.'
  return inPaper ? reason : 'Not in the paper.'
}

const byRowAndSet = (all: readonly PaperValue[]): ReadonlyMap<string, PaperValue> =>
  new Map(all.map((value) => [JSON.stringify([value.row, value.set ?? null]), value]))

/** Relative differences below this are rounding. */
const ROUNDING = 1e-12

function difference(a: PaperValue['value'], b: PaperValue['value']): number | null {
  const [x, y] = [numberOf(a), numberOf(b)]
  if (x === null || y === null) return null
  return Math.abs(x - y) <= ROUNDING * Math.max(Math.abs(x), Math.abs(y)) ? 0 : x - y
}

const numberOf = (value: PaperValue['value']): number | null =>
  typeof value === 'number' ? value : typeof value === 'object' && value !== null ? (value as Estimate).value : null
