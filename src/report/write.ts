import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { figureSvg } from './figures/svg.ts'
import { csvTable } from './formats/csv.ts'
import { htmlReport } from './formats/html.ts'
import { jsonReport } from './formats/json.ts'
import { markdownReport } from './formats/markdown.ts'
import { fileName } from './formats/names.ts'
import { makeReport, type Report, type ReportInput } from './report.ts'

export const REPORT_FORMATS = ['html', 'md', 'json', 'csv', 'svg'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]

export interface WriteOptions {
  /** The folder: `index.html`, `report.md`, `report.json`, `tables/*.csv`, `figures/*.svg`. */
  readonly out: string
  /** All of them where nothing is said. */
  readonly formats?: readonly ReportFormat[]
  /** Rows of a table shown on a page, 500 where nothing is said; CSV and JSON hold all of them. */
  readonly mostRows?: number
}

export interface WrittenReport {
  readonly report: Report
  /** Paths below `out`, in the order written. */
  readonly files: readonly string[]
}

/** Makes the report of a run's rows and writes it. */
export async function writeReport(input: ReportInput & WriteOptions): Promise<WrittenReport> {
  const report = makeReport(input)
  return { report, files: await writeReportFiles(report, input) }
}

/** Writes a report that is already made; two writes of one report give the same bytes. */
export async function writeReportFiles(
  report: Report,
  { out, formats = REPORT_FORMATS, mostRows = 500 }: WriteOptions,
): Promise<readonly string[]> {
  const asked = new Set(formats)
  const figures = asked.has('html') || asked.has('svg') ? await drawAll(report) : new Map<string, string>()
  const files: [path: string, text: string][] = []
  if (asked.has('html')) {
    files.push(['index.html', htmlReport(report, { mostRows, csv: asked.has('csv'), figures })])
  }
  if (asked.has('md')) {
    files.push(['report.md', markdownReport(report, { mostRows, csv: asked.has('csv'), svg: asked.has('svg') })])
  }
  if (asked.has('json')) files.push(['report.json', jsonReport(report)])
  if (asked.has('csv')) {
    const tables = report.analyses.flatMap((analysis) => analysis.tables)
    for (const table of tables) files.push([`tables/${fileName(table.id)}.csv`, csvTable(table)])
  }
  if (asked.has('svg')) for (const [id, svg] of figures) files.push([`figures/${fileName(id)}.svg`, svg])
  await mkdir(out, { recursive: true })
  if (asked.has('csv')) await mkdir(join(out, 'tables'), { recursive: true })
  if (figures.size > 0 && asked.has('svg')) await mkdir(join(out, 'figures'), { recursive: true })
  for (const [path, text] of files) await writeFile(join(out, path), text)
  return files.map(([path]) => path)
}

async function drawAll(report: Report): Promise<Map<string, string>> {
  const drawn = new Map<string, string>()
  for (const { tables, figures } of report.analyses) {
    for (const figure of figures) drawn.set(figure.id, await figureSvg(figure, tables))
  }
  return drawn
}
