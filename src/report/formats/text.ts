import { column, type Table } from '../../core/index.ts'
import type { Report } from '../report.ts'
import { describeRows } from './describe.ts'
import { byQuestion, escapeMarkdown, markdownTable } from './markdown.ts'
import { constantColumns, fileName, heading, plainText, shown } from './values.ts'

/** Rows of a table that are shown. */
const MAX_ROWS = 24

/**
 * A report as a few pages of Markdown to quote from: every row names the row of the file that holds its numbers in full. Analyses of one
 * task are listed by name, unless they are all that there is.
 */
export function textReport(report: Report): string {
  const parts = [
    `# ${escapeMarkdown(plainText(report.name ?? report.run))}`,
    `${escapeMarkdown(report.run)}: ${describeRows(report)}`,
    report.headline.map((line) => `- ${escapeMarkdown(plainText(line, 600))}`).join('\n'),
    'Source `NAME:N` is row N of `tables/NAME.csv` in the folder of the report, which `touchstone report RUN` writes.',
  ]
  const whole = report.analyses.filter(({ task }) => task === null)
  const shown = whole.length === 0 ? report.analyses : whole
  for (const { title, analyses } of byQuestion(shown)) {
    parts.push(`## ${title}`)
    for (const { id, title: name, notes, tables } of analyses) {
      parts.push(`### ${escapeMarkdown(name)} (\`${id}\`)`)
      if (notes.length > 0) parts.push(notes.map((note) => `- ${escapeMarkdown(note)}`).join('\n'))
      parts.push(...tables.flatMap(tableParts))
    }
  }
  const others = report.analyses.filter((one) => !shown.includes(one))
  if (others.length > 0)
    parts.push(
      '## Of one task',
      'Printed with `--analysis ID`.',
      others.map(({ id, title }) => `- \`${id}\`: ${escapeMarkdown(title)}`).join('\n'),
    )
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** What is the same in all rows is said once. */
function tableParts(table: Table): string[] {
  const { id, title, columns, rows } = table
  const [first] = rows
  if (first === undefined) return []
  const same = constantColumns(table)
  const told = same.filter((one) => shown(first[one.key], one) !== '')
  const cut = {
    ...table,
    columns: [column.text('source', 'Source'), ...columns.filter((one) => !same.includes(one))],
    rows: rows.slice(0, MAX_ROWS).map((row, i) => ({ ...row, source: `${fileName(id)}:${i + 1}` })),
  }
  return [
    `**${escapeMarkdown(title)}**${told.length === 0 ? '' : `, all rows: ${told.map((one) => `${escapeMarkdown(heading(one))} ${escapeMarkdown(shown(first[one.key], one))}`).join('; ')}`}`,
    markdownTable(cut).trimEnd(),
    rows.length > MAX_ROWS ? `${rows.length - MAX_ROWS} more rows in \`tables/${fileName(id)}.csv\`.` : '',
  ]
}
