import { dirname, join } from 'node:path'
import { makeFolder, requireNoLinks, writeFileAtomic } from '../store/index.ts'
import { drawableTable } from './figures/drawable.ts'
import { figurePng, figureSvg } from './figures/svg.ts'
import { csvTable } from './formats/csv.ts'
import { htmlPage } from './formats/html.ts'
import { markdownReport } from './formats/markdown.ts'
import { fileName } from './formats/values.ts'
import { makeReport, type Report, type ReportInput } from './report.ts'
import { withShortNames } from './short-names.ts'

export const REPORT_FORMATS = ['html', 'md', 'json', 'csv', 'svg', 'png'] as const
/** A file format of a report. */
export type ReportFormat = (typeof REPORT_FORMATS)[number]

const DEFAULT_FORMATS = REPORT_FORMATS.filter((format) => format !== 'png')

export interface WriteOptions {
  /** The folder: `index.html`, `report.md`, `report.json`, `tables/*.csv`, `figures/*.svg`, `figures/*.png`. */
  readonly out: string
  /** Default: all but PNG. */
  readonly formats?: readonly ReportFormat[]
  /** Most rows of a table on a page; CSV and JSON have all of them. Default: 500. */
  readonly mostRows?: number
}

export interface WrittenReport {
  readonly report: Report
  /** Paths below `out`, in the order written. */
  readonly files: readonly string[]
}

/**
 * Makes and writes the report of a run's rows.
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

/** Writes a report; the same report gives the same bytes. */
export async function writeReportFiles(report: Report, options: WriteOptions): Promise<readonly string[]> {
  const { out } = options
  await makeFolder(out)
  await requireNoLinks(out)
  const paths: string[] = []
  for await (const [path, content] of reportFiles(report, options)) {
    await makeFolder(dirname(join(out, path)))
    await writeFileAtomic(join(out, path), content)
    paths.push(path)
  }
  return paths
}

/** The files of a report by their paths, one at a time, to save memory. */
export async function* reportFiles(
  report: Report,
  { formats = DEFAULT_FORMATS, mostRows = 500 }: Omit<WriteOptions, 'out'>,
): AsyncGenerator<readonly [path: string, content: string | Uint8Array]> {
  const asked = new Set(formats)
  const [csv, svg] = [asked.has('csv'), asked.has('svg')]
  const drawn = asked.has('html') || svg || asked.has('png')
  const figures = drawn ? await drawAll(report) : new Map<string, string>()
  if (asked.has('html')) yield ['index.html', htmlPage(report, { mostRows, csv, svg, figures })]
  if (asked.has('md')) yield ['report.md', markdownReport(report, { mostRows, csv, svg })]
  if (asked.has('json')) yield ['report.json', jsonReport(report)]
  if (csv)
    for (const table of report.analyses.flatMap((analysis) => analysis.tables))
      yield [`tables/${fileName(table.id)}.csv`, csvTable(table)]
  if (svg) for (const [id, text] of figures) yield [`figures/${fileName(id)}.svg`, text]
  if (asked.has('png')) for (const [id, text] of figures) yield [`figures/${fileName(id)}.png`, await figurePng(text)]
}

/** Figures with data, with short names of models. */
async function drawAll(report: Report): Promise<Map<string, string>> {
  const drawn = new Map<string, string>()
  for (const { tables, figures } of withShortNames(report.analyses)) {
    for (const figure of figures) {
      const table = tables.find(({ id }) => id === figure.table)
      const drawable = table === undefined ? null : drawableTable(figure, table)
      if (drawable !== null) drawn.set(figure.id, await figureSvg(figure, [drawable]))
    }
  }
  return drawn
}

/** The document of `report --json`: one line-broken JSON text ending in a newline. Numbers keep full precision. */
export const jsonReport = (report: Report): string => `${JSON.stringify(report, null, 1)}\n`
