import {
  column,
  type Estimate,
  type Paper,
  type Placed,
  type PrintedTable,
  type SideBySide,
  type Table,
} from '../core/index.ts'
import type { PrintedResult, ReportedAnalysis } from './report.ts'

type Row = Table['rows'][number]

const NOTES = [
  'What the paper prints is in the column "Paper" alone: results of its own models on its own items. It enters no statistic of this report.',
  'Published: the definitions of the paper on the answers of this run, so that it differs from the paper by items and models. Corrected: ours.',
]

/** What a paper prints for one of its items: as one table with ours where something of ours stands beside it, and as it is printed. */
export function printedAnalysis(
  { paper, printed, besideOnly }: PrintedResult,
  tables: readonly Table[],
): readonly ReportedAnalysis[] {
  const { id, item, place, title, apart, columns, rows } = printed
  const beside = besideOurs(paper, printed, tables)
  if (beside === null && besideOnly) return []
  const notes = beside === null ? NOTES.slice(0, 1) : NOTES
  const analysis = {
    id: `paper/${id}`,
    title: `${item} as the paper prints it: ${title}`,
    task: null,
    source: { paper: paper.title, item: `${item}, ${place}` },
    notes: [...notes, ...(apart === undefined ? [] : [apart]), ...(printed.notes ?? [])],
    tables: [...(beside === null ? [] : [beside]), { id: `paper/${id}`, title, columns, rows }],
    figures: [],
  }
  return [analysis]
}

/** The numbers of a printed table and those of a run, row by row; null where the run has nothing to put beside it. */
export function besideOurs(paper: Paper, printed: PrintedTable, tables: readonly Table[]): Table | null {
  const sides = paper.sideBySide.filter((side) => side.printed === printed.id)
  const made = sides.flatMap((side) => joined(side, printed, tables))
  if (made.every(({ ours }) => !ours)) return null
  const sets = made.some(({ row }) => row['set'] !== null)
  return {
    id: `paper/${printed.id}-beside`,
    title: `${printed.item}: paper, published and corrected`,
    columns: [
      column.text('row', 'Row'),
      ...(sets ? [column.text('set', 'Items of the run')] : []),
      column.text('measure', 'Measure'),
      { key: 'paper', label: `Paper: ${printed.item}, ${printed.place}`, kind: 'number' },
      column.number('published', 'Published'),
      column.number('corrected', 'Corrected'),
      column.number('publishedLess', 'Published - paper'),
      column.number('correctedLess', 'Corrected - published'),
      column.text('reason', 'Why'),
    ],
    rows: made.map(({ row }) => row),
  }
}

interface Joined {
  readonly row: Row
  /** Whether something of the run stands in it. */
  readonly ours: boolean
}

/** The rows of one measure: those of the paper in its order, each with every set of ours that has it; then what only we have. */
function joined(side: SideBySide, printed: PrintedTable, tables: readonly Table[]): readonly Joined[] {
  const paper = side.paper(printed)
  const published = byPlace(side.published?.(tables) ?? [])
  const corrected = byPlace(side.corrected?.(tables) ?? [])
  const mine = new Map([...published, ...corrected].map(([key, { row, set }]) => [key, { row, set }]))
  const ours = [...mine]
    .map(([key, place]) => ({
      ...place,
      published: published.get(key)?.value ?? null,
      corrected: corrected.get(key)?.value ?? null,
    }))
    .filter((own) => own.published !== null || own.corrected !== null)
  const line = (row: string, printedAs: Placed | null, own: (typeof ours)[number] | null): Joined => {
    const [inPaper, inRun] = [printedAs?.value ?? null, own?.published ?? null]
    return {
      ours: own !== null,
      row: {
        row,
        set: own?.set ?? null,
        measure: side.measure,
        paper: inPaper,
        published: inRun,
        corrected: own?.corrected ?? null,
        publishedLess: difference(inRun, inPaper),
        correctedLess: difference(own?.corrected ?? null, inRun ?? inPaper),
        reason: reasonOf(side, printedAs !== null, own !== null),
      },
    }
  }
  const known = new Set(paper.map(({ row }) => row))
  return [
    ...paper.flatMap((cell) => {
      const found = ours.filter((own) => own.row === cell.row)
      return found.length === 0 ? [line(cell.row, cell, null)] : found.map((own) => line(cell.row, cell, own))
    }),
    ...ours.filter(({ row }) => !known.has(row)).map((own) => line(own.row, null, own)),
  ]
}

function reasonOf({ reason }: SideBySide, inPaper: boolean, inRun: boolean): string {
  if (!inRun) return 'This run has no such number.'
  return inPaper ? reason : 'Not in the paper.'
}

const byPlace = (all: readonly Placed[]): ReadonlyMap<string, Placed> =>
  new Map(all.map((placed) => [JSON.stringify([placed.row, placed.set ?? null]), placed]))

function difference(a: Placed['value'], b: Placed['value']): number | null {
  const [x, y] = [numberOf(a), numberOf(b)]
  if (x === null || y === null) return null
  // The order of a sum changes its last bits.
  return Math.abs(x - y) <= NOISE * Math.max(Math.abs(x), Math.abs(y)) ? 0 : x - y
}

const NOISE = 1e-12

const numberOf = (value: Placed['value']): number | null =>
  typeof value === 'number' ? value : typeof value === 'object' && value !== null ? (value as Estimate).value : null
