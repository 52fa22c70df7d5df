import type { Column, Table } from '../../core/index.ts'
import { byQuestion } from '../questions.ts'
import type { Report, ReportedAnalysis } from '../report.ts'
import { fileName } from './names.ts'
import { STYLE } from './style.ts'
import { columnNumber, heading, isEstimate, isNumeric, plainText, shown } from './values.ts'

export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

export interface HtmlOptions {
  /** Rows of a table shown; the rest is in its CSV file. */
  readonly mostRows: number
  /** Are the tables also written as CSV, for links? */
  readonly csv: boolean
  /** SVG text of a figure by id. */
  readonly figures: ReadonlyMap<string, string>
}

/**
 * The whole report as one page without scripts or outside files: tables and figures inline, light and dark, everything escaped, and a
 * content security policy that allows nothing but its own style.
 */
export function htmlReport(report: Report, options: HtmlOptions): string {
  const title = `Report: ${plainText(report.run)}`
  const questions = byQuestion(report.analyses)
  const links = questions.map(
    ({ title: question, analyses }) =>
      `<li>${escapeHtml(question)}<ul>${analyses.map(({ id, title: name }) => `<li><a href="#${fileName(id)}">${escapeHtml(name)}</a></li>`).join('')}</ul></li>`,
  )
  const quotable = report.headline.map((line) => `<li>${escapeHtml(plainText(line, 400))}</li>`).join('')
  const leftOut = report.leftOut.map(
    ({ id, reason }) => `<li><code>${escapeHtml(id)}</code>: ${escapeHtml(plainText(reason))}</li>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${escapeHtml(title)}</h1>
<p>${report.rows} rows, read by the ${escapeHtml(report.parser)} parser. Brackets are 95 % intervals; shares run from 0 to 1.</p>
${quotable === '' ? '' : `<ul class="headline">${quotable}</ul>`}
</header>
<nav aria-label="Analyses"><ul>${links.join('')}</ul></nav>
<main>
${questions.map(({ title: question, analyses }) => `<h2 class="question">${escapeHtml(question)}</h2>\n${analyses.map((analysis) => section(analysis, options)).join('\n')}`).join('\n')}
${leftOut.length === 0 ? '' : `<section><h2>Left out</h2><ul>${leftOut.join('')}</ul></section>`}
</main>
</body>
</html>
`
}

function section(analysis: ReportedAnalysis, options: HtmlOptions): string {
  const source =
    analysis.source === null ? '' : ` &middot; ${escapeHtml(`${analysis.source.paper}, ${analysis.source.item}`)}`
  const notes = analysis.notes.map((note) => `<li>${escapeHtml(note)}</li>`).join('')
  const figures = analysis.figures.flatMap(({ id, title }) => {
    const svg = options.figures.get(id)
    return svg === undefined ? [] : [`<figure aria-label="${escapeHtml(title)}">${svg}</figure>`]
  })
  return `<section id="${fileName(analysis.id)}">
<h3>${escapeHtml(analysis.title)}</h3>
<p class="source"><code>${escapeHtml(analysis.id)}</code>${source}</p>
${notes === '' ? '' : `<ul class="notes">${notes}</ul>`}
${figures.join('\n')}
${analysis.tables.map((table) => htmlTable(table, options, figures.length > 0)).join('\n')}
</section>`
}

/** Long tables below a figure are folded away. */
const FOLDED = 24

function htmlTable(table: Table, { mostRows, csv }: HtmlOptions, drawn: boolean): string {
  const name = fileName(table.id)
  const head = table.columns
    .map((column) => `<th scope="col"${isNumeric(column) ? ' class="n"' : ''}>${escapeHtml(heading(column))}</th>`)
    .join('')
  const body = table.rows
    .slice(0, mostRows)
    .map((row) => `<tr>${table.columns.map((column) => cell(row[column.key], column)).join('')}</tr>`)
    .join('\n')
  const rest = table.rows.length - mostRows
  const file = csv ? ` <a href="tables/${name}.csv">CSV</a>` : ''
  const more = rest > 0 ? `<p>${rest} more rows${csv ? ` in the ${file.trim()} file` : ''}.</p>` : ''
  const caption = `<caption>${escapeHtml(table.title)}${file}</caption>`
  const made = `<div class="scroll"><table>${caption}<thead><tr>${head}</tr></thead><tbody>
${body}
</tbody></table></div>${more}`
  return drawn && table.rows.length > FOLDED
    ? `<details><summary>${escapeHtml(table.title)} (${table.rows.length} rows)</summary>${made}</details>`
    : made
}

function cell(value: Table['rows'][number][string] | undefined, column: Column): string {
  const kind = isNumeric(column) ? ' class="n"' : ''
  if (isEstimate(value)) {
    const tip = escapeHtml(`n = ${value.n}; ${value.method}`)
    const range = `[${columnNumber(value.low, column)}, ${columnNumber(value.high, column)}]`
    return `<td${kind} title="${tip}">${columnNumber(value.value, column)} <span class="ci">${range}</span></td>`
  }
  return `<td${kind}>${escapeHtml(shown(value, column))}</td>`
}
