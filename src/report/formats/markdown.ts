import { QUESTIONS, type Table } from '../../core/index.ts'
import type { Report, ReportedAnalysis } from '../report.ts'
import { withShortNames } from '../short-names.ts'
import { describeRows, skippedName } from './describe.ts'
import { fileName, heading, isNumeric, plainText, shown } from './values.ts'

/** Text escaped for Markdown: it cannot start a cell, a link, HTML or emphasis. */
export const escapeMarkdown = (text: string): string =>
  text
    .replaceAll(/[\\`*[\]|#~]/g, String.raw`\$&`)
    .replaceAll(/&(?=[#\w]+;)/g, '&amp;')
    .replaceAll(/<(?=[A-Za-z/!?])/g, '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, String.raw`\_`)
    // Brackets around numbers are intervals, no links.
    .replaceAll(/\\\[([-−+\d., %]+)\\\](?![([:])/g, '[$1]')

/** A GitHub-flavoured Markdown table. */
export function markdownTable(table: Table, mostRows = Number.POSITIVE_INFINITY): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const head = line(table.columns.map((column) => escapeMarkdown(heading(column))))
  const rule = line(table.columns.map((column) => (isNumeric(column) ? '---:' : '---')))
  const rows = table.rows
    .slice(0, mostRows)
    .map((row) => line(table.columns.map((column) => escapeMarkdown(shown(row[column.key], column)))))
  return `${[head, rule, ...rows].join('\n')}\n`
}

export interface MarkdownOptions {
  /** Most rows shown per table; the rest is in its CSV file. */
  readonly mostRows: number
  readonly csv: boolean
  readonly svg: boolean
}

/** The whole report as one Markdown page; figures and long tables are linked files. */
export function markdownReport(report: Report, options: MarkdownOptions): string {
  const parts = [
    `# Report: ${escapeMarkdown(plainText(report.name ?? report.run))}`,
    ...(report.name === undefined ? [] : [escapeMarkdown(plainText(report.run))]),
    describeRows(report),
    ...(report.headline.length === 0
      ? []
      : [report.headline.map((line) => `- ${escapeMarkdown(plainText(line, 600))}`).join('\n')]),
  ]
  for (const { title, analyses } of byQuestion(withShortNames(report.analyses))) {
    parts.push(`## ${title}`)
    for (const analysis of analyses) parts.push(...section(analysis, options))
  }
  if (report.skipped.length > 0) {
    parts.push(
      '## Skipped analyses',
      report.skipped.map((one) => `- ${skippedName(one, report)}: ${escapeMarkdown(one.reason)}`).join('\n'),
    )
  }
  return `${parts.join('\n\n')}\n`
}

function section(analysis: ReportedAnalysis, { mostRows, csv, svg }: MarkdownOptions): string[] {
  const source = analysis.source === null ? '' : ` (${analysis.source.paper}, ${analysis.source.item})`
  const parts = [`### ${escapeMarkdown(analysis.title)}`, `\`${analysis.id}\`${escapeMarkdown(source)}`]
  if (analysis.notes.length > 0) parts.push(analysis.notes.map((note) => `- ${escapeMarkdown(note)}`).join('\n'))
  for (const table of analysis.tables) {
    parts.push(`#### ${escapeMarkdown(table.title)}`, markdownTable(table, mostRows).trimEnd())
    if (table.rows.length > mostRows) {
      const rest = `${table.rows.length - mostRows} more rows`
      parts.push(csv ? `${rest} in [${fileName(table.id)}.csv](tables/${fileName(table.id)}.csv).` : `${rest}.`)
    }
  }
  if (svg) {
    for (const figure of analysis.figures) {
      parts.push(`![${escapeMarkdown(figure.title)}](figures/${fileName(figure.id)}.svg)`)
    }
  }
  return parts
}

interface Answers {
  readonly title: string
  readonly analyses: readonly ReportedAnalysis[]
}

/** The analyses of a report by question, in the order of {@link QUESTIONS}. */
export const byQuestion = (analyses: readonly ReportedAnalysis[]): readonly Answers[] =>
  Object.entries(QUESTIONS)
    .map(([name, title]) => ({ title, analyses: analyses.filter(({ question }) => question === name) }))
    .filter((answers) => answers.analyses.length > 0)
