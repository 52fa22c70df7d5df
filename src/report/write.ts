import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { figurePng } from './figures/png.ts'
import { figureSvg } from './figures/svg.ts'
import { csvTable } from './formats/csv.ts'
import { htmlPage } from './formats/html.ts'
import { jsonReport } from './formats/json.ts'
import { markdownReport } from './formats/markdown.ts'
import { fileName } from './formats/names.ts'
import { makeReport, type Report, type ReportInput } from './report.ts'

export const REPORT_FORMATS = ['html', 'md', 'json', 'csv', 'svg', 'png'] as const
/** A form in which a report is written. */
export type ReportFormat = (typeof REPORT_FORMATS)[number]

const DEFAULT_FORMATS = REPORT_FORMATS.filter((format) => format !== 'png')

export interface WriteOptions {
  /** The folder: `index.html`, `report.md`, `report.json`, `tables/*.csv`, `figures/*.svg`, `figures/*.png`. */
  readonly out: string
  /** All but PNG where nothing is said. */
  readonly formats?: readonly ReportFormat[]
  /** Rows of a table shown on a page, 500 where nothing is said; CSV and JSON hold all of them. */
  readonly mostRows?: number
}

export interface WrittenReport {
  readonly report: Report
  /** Paths below `out`, in the order written. */
  readonly files: readonly string[]
}

/**
 * Makes the report of a run's rows and writes it.
 *
 * @example
 * import { writeReport } from '@touchstone-eval/touchstone/node'
 *
 * export const write = async (input: Parameters<typeof writeReport>[0]) => writeReport(input)
 */
export async function writeReport(input: ReportInput & WriteOptions): Promise<WrittenReport> {
  const report = makeReport(input)
  return { report, files: await writeReportFiles(report, input) }
}

/** Writes a report that is already made; two writes of one report give the same bytes. */
export async function writeReportFiles(
  report: Report,
  { out, formats = DEFAULT_FORMATS, mostRows = 500 }: WriteOptions,
): Promise<readonly string[]> {
  const asked = new Set(formats)
  const drawn = asked.has('html') || asked.has('svg') || asked.has('png')
  const figures = drawn ? await drawAll(report) : new Map<string, string>()
  const files: [path: string, content: string | Uint8Array][] = []
  if (asked.has('html')) {
    files.push(['index.html', htmlPage(report, { mostRows, csv: asked.has('csv'), svg: asked.has('svg'), figures })])
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
  if (asked.has('png')) {
    for (const [id, svg] of figures) files.push([`figures/${fileName(id)}.png`, await figurePng(svg)])
  }
  await mkdir(out, { recursive: true })
  if (asked.has('csv')) await mkdir(join(out, 'tables'), { recursive: true })
  if (figures.size > 0 && (asked.has('svg') || asked.has('png'))) await mkdir(join(out, 'figures'), { recursive: true })
  for (const [path, content] of files) await writeFile(join(out, path), content)
  return files.map(([path]) => path)
}

async function drawAll(report: Report): Promise<Map<string, string>> {
  const drawn = new Map<string, string>()
  for (const { tables, figures } of report.analyses) {
    for (const figure of figures) drawn.set(figure.id, await figureSvg(figure, tables))
  }
  return drawn
}
