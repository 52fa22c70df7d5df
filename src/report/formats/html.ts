import type { Column, Table } from '../../core/index.ts'
import { trueMinus } from '../../core/text.ts'
import { LONG, pagesOf } from '../figures/rows.ts'
import { byQuestion } from '../questions.ts'
import type { Report, ReportedAnalysis } from '../report.ts'
import { describeRows, skippedName } from './describe.ts'
import { fileName } from './names.ts'
import { type Part, partsOf } from './parts.ts'
import { STYLE } from './style.ts'
import { columnNumber, heading, isEstimate, isNumeric, plainText, shown } from './values.ts'

export const escapeHtml = (text: string): string =>
  /[&<>"']/.test(text)
    ? text
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
        .replaceAll("'", '&#39;')
    : text

/** Escaped; right-to-left names are isolated, else numbers after them would be reordered. */
const isolated = (text: string): string => escapeHtml(text).replaceAll(FROM_RIGHT, '<bdi>$&</bdi>')

const FROM_RIGHT =
  /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}](?:[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}\p{M} ]*[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}\p{sc=Nkoo}])?/gu

export interface HtmlOptions {
  /** Most rows shown per table; the rest is in its CSV file. */
  readonly mostRows: number
  /** Most figures shown per analysis; the rest is in SVG files. */
  readonly mostFigures: number
  /** Are the tables also written as CSV, for links? */
  readonly csv: boolean
  /** Are the figures also written as SVG, for links? */
  readonly svg: boolean
  /** SVG text of a figure by id. */
  readonly figures: ReadonlyMap<string, string>
}

/** Most bytes of a page, so that it opens at once and fits into a mail; beyond it rows and figures are only in files. */
const PAGE_BYTES = 2_800_000
/** What stays on the page, step by step less. */
const CUTS = [
  { mostRows: 100, mostFigures: Number.POSITIVE_INFINITY },
  { mostRows: 50, mostFigures: 6 },
] as const
const MIN = { mostRows: 25, mostFigures: 3 } as const

/** The report as one page of at most about 3 MB; a larger one is cut to fewer rows and figures, with a note. */
export function htmlPage(report: Report, options: Omit<HtmlOptions, 'mostFigures'>): string {
  const cut = ({ mostRows, mostFigures }: Pick<HtmlOptions, 'mostRows' | 'mostFigures'>) =>
    htmlPieces(report, { ...options, mostRows: Math.min(options.mostRows, mostRows), mostFigures })
  const whole = { mostRows: options.mostRows, mostFigures: Number.POSITIVE_INFINITY }
  for (const most of [whole, ...CUTS]) {
    const page = joinedWithin(PAGE_BYTES, cut(most))
    if (page !== null) return page
  }
  return [...cut(MIN)].join('')
}

/** null if there are more bytes. */
function joinedWithin(most: number, pieces: Iterable<string>): string | null {
  const page: string[] = []
  let bytes = 0
  for (const piece of pieces) {
    bytes += Buffer.byteLength(piece)
    if (bytes > most) return null
    page.push(piece)
  }
  return page.join('')
}

/**
 * The whole report as one page without scripts or outside files: tables and figures inline, light and dark, everything escaped, and a
 * content security policy that allows nothing but its own style.
 */
function* htmlPieces(report: Report, options: HtmlOptions): Generator<string> {
  const { run, name } = report
  const title = `Report: ${plainText(name ?? run)}`
  const questions = byQuestion(report.analyses)
  const links = questions.map(({ title: question, analyses }) => {
    const whole = analyses
      .filter(({ task }) => task === null)
      .map((one) => `<li>${link(fileName(one.id), one.title)}</li>`)
    const tasks = byTask(analyses).map(([task, own]) => `<li>${link(taskId(task), task)} (${own.length})</li>`)
    return `<li>${escapeHtml(question)}<ul>${[...whole, ...tasks].join('')}</ul></li>`
  })
  const quotable = report.headline.map((line) => `<li>${isolated(trueMinus(plainText(line, 600)))}</li>`).join('')
  const skipped = report.skipped.map(
    (one) => `<li><code>${escapeHtml(skippedName(one, report))}</code>: ${escapeHtml(plainText(one.reason))}</li>`,
  )
  yield `<!doctype html>
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
${
  name === undefined
    ? ''
    : `<p class="source"><code>${escapeHtml(plainText(run))}</code></p>
`
}<p>${escapeHtml(describeRows(report))} Brackets: 95 % CIs. Shares: 0 to 1.</p>
${quotable === '' ? '' : `<ul class="headline">${quotable}</ul>`}
<p class="folded">Only unfolded parts of the page are printed.</p>
</header>
<nav aria-label="Analyses"><ul>${links.join('')}</ul></nav>
<main>
`
  for (const { title: question, analyses } of questions) {
    yield `<h2 class="question">${escapeHtml(question)}</h2>\n`
    for (const answer of answers(analyses, options)) yield `${answer}\n`
  }
  yield `${skipped.length === 0 ? '' : `<section><h2>Skipped analyses</h2><ul>${skipped.join('')}</ul></section>`}
</main>
</body>
</html>
`
}

const link = (target: string, text: string): string => `<a href="#${target}">${escapeHtml(text)}</a>`

const taskId = (task: string): string => `task-${fileName(task)}`

const byTask = (analyses: readonly ReportedAnalysis[]): readonly (readonly [string, readonly ReportedAnalysis[]])[] => [
  ...Map.groupBy(
    analyses.filter(({ task }) => task !== null),
    ({ task }) => task ?? '',
  ),
]

/** Analyses of the whole run first, then by task: the first of each is open, the others are folded. */
function* answers(analyses: readonly ReportedAnalysis[], options: HtmlOptions): Generator<string> {
  for (const analysis of analyses) if (analysis.task === null) yield section(analysis, options)
  for (const [task, own] of byTask(analyses)) {
    const [first, ...others] = own
    const shown = first === undefined ? '' : section(first, options)
    const folded = others.map(
      (analysis) =>
        `<details class="analysis"><summary>${escapeHtml(analysis.title)}</summary>${section(analysis, options)}</details>`,
    )
    yield `<div class="task"><h2 class="task" id="${taskId(task)}">${escapeHtml(task)}</h2>\n${shown}\n${folded.join('\n')}</div>`
  }
}

/** Figures of one analysis that are not folded. */
const AT_ONCE = 3

function section(analysis: ReportedAnalysis, options: HtmlOptions): string {
  const source =
    analysis.source === null ? '' : ` &middot; ${escapeHtml(`${analysis.source.paper}, ${analysis.source.item}`)}`
  const notes = analysis.notes.map((note) => `<li>${escapeHtml(note)}</li>`).join('')
  const figures = analysis.figures.flatMap(({ id, title }) => {
    const svg = options.figures.get(id)
    return svg === undefined ? [] : [figureHtml(id, title, svg)]
  })
  const folded = figures.slice(AT_ONCE, options.mostFigures)
  const left = analysis.figures.filter(({ id }) => options.figures.has(id)).slice(options.mostFigures)
  return `<section id="${fileName(analysis.id)}">
<h3>${escapeHtml(analysis.title)}</h3>
<p class="source"><code>${escapeHtml(analysis.id)}</code>${source}</p>
${notes === '' ? '' : `<ul class="notes">${notes}</ul>`}
${figures.slice(0, AT_ONCE).join('\n')}
${folded.length === 0 ? '' : `<details><summary>${folded.length} more figures</summary>${folded.join('\n')}</details>`}
${left.length === 0 ? '' : `<p>${left.length} more figures are not on this page: ${left.map((figure) => elsewhere(figure, options)).join(', ')}.</p>`}
${analysis.tables.map((table) => htmlTable(table, options, figures.length > 0)).join('\n')}
</section>`
}

/** In print two figures fit on a page; a tall one takes a page, a long one is cut between its rows over several. */
function figureHtml(id: string, title: string, svg: string): string {
  const start =
    /^<svg[^>]* width="(?<width>[\d.]+)" height="(?<height>[\d.]+)"[^>]*?(?: data-cuts="(?<cuts>[\d ]+)")?>/u.exec(svg)
  const [width, height] = [Number(start?.groups?.['width']), Number(start?.groups?.['height'])]
  const { cuts } = start?.groups ?? {}
  const open = (shape: string): string => `<figure${shape} tabindex="0" aria-label="${escapeHtml(title)}">`
  if (start === null || cuts === undefined)
    return `${open(height > LONG * width ? ' class="long"' : height > width ? ' class="tall"' : '')}${compact(svg)}</figure>`
  const name = `drawing-${fileName(id)}`
  const whole = svg.replace(start[0], `${start[0]}<g id="${name}">`).replace(/<\/svg>\s*$/u, '</g></svg>')
  const pages = pagesOf(cuts.split(' ').map(Number), { width, height }).map(
    ({ from, to }) =>
      `<svg class="page" viewBox="0 ${from} ${width} ${to - from}" aria-hidden="true"><use href="#${name}"/></svg>`,
  )
  return `${open(' class="long cut"')}${compact(whole)}${pages.join('')}</figure>`
}

/** Inline SVG; drops aria-labels of marks, the figure itself is labelled. */
const compact = (svg: string): string =>
  svg
    .replaceAll(/(<(?:g|rect)\b[^<>]*?) aria-label="[^"]*"/gu, '$1')
    .replaceAll(/<(line|path|rect|circle|use|image)\b([^<>]*)><\/\1>/gu, '<$1$2/>')

const elsewhere = ({ id, title }: ReportedAnalysis['figures'][number], { svg }: HtmlOptions): string =>
  svg ? `<a href="figures/${fileName(id)}.svg">${escapeHtml(title)}</a>` : escapeHtml(title)

/** Longer tables below a figure are folded. */
const FOLDED = 12
/** The same without a figure. */
const FOLDED_ALONE = 40

function htmlTable(table: Table, options: HtmlOptions, drawn: boolean): string {
  const parts = partsOf(table)
  if (parts !== null) return byCondition(table, parts, options)
  const html = wholeTable(table, table.title, options)
  return table.rows.length > (drawn ? FOLDED : FOLDED_ALONE)
    ? fold(`${table.title} (${table.rows.length} rows)`, html)
    : html
}

const fold = (summary: string, html: string): string =>
  `<details><summary>${escapeHtml(summary)}</summary>${html}</details>`

/** A table too long for one list: folded by condition, with the number of significant pairs. */
function byCondition(table: Table, parts: readonly Part[], options: HtmlOptions): string {
  const each = { ...options, csv: false, mostRows: Math.max(1, Math.floor(options.mostRows / parts.length)) }
  const lists = parts.map(({ name, significant, table: part }) => {
    const pairs =
      significant === null ? `${part.rows.length} pairs` : `${significant} of ${part.rows.length} pairs significant`
    return fold(`${name}: ${pairs}`, wholeTable(part, `${table.title}: ${name}`, each))
  })
  return `<p class="parts">${escapeHtml(table.title)}${csvLink(table, options)}</p>\n${lists.join('\n')}`
}

const csvLink = ({ id }: Table, { csv }: HtmlOptions): string =>
  csv ? ` <a href="tables/${fileName(id)}.csv">CSV</a>` : ''

function wholeTable(table: Table, title: string, options: HtmlOptions): string {
  const { mostRows, csv } = options
  const head = table.columns
    .map((column) => `<th scope="col"${isNumeric(column) ? ' class="n"' : ''}>${escapeHtml(heading(column))}</th>`)
    .join('')
  const body = table.rows
    .slice(0, mostRows)
    .map((row) => `<tr>${table.columns.map((column) => cell(row[column.key], column)).join('')}</tr>`)
    .join('\n')
  const rest = table.rows.length - mostRows
  const file = csvLink(table, options)
  const more = rest > 0 ? `<p>${rest} more rows${csv ? ` in the ${file.trim()} file` : ''}.</p>` : ''
  const caption = `<caption>${escapeHtml(title)}${file}</caption>`
  return `<div class="scroll" tabindex="0" role="group" aria-label="${escapeHtml(title)}"><table>${caption}<thead><tr>${head}</tr></thead><tbody>
${body}
</tbody></table></div>${more}`
}

function cell(value: Table['rows'][number][string] | undefined, column: Column): string {
  const kind = isNumeric(column) ? ' class="n"' : ''
  if (isEstimate(value)) {
    const tip = escapeHtml(`n = ${value.n}; ${value.method}`)
    const [at, low, high] = [value.value, value.low, value.high].map((x) => trueMinus(columnNumber(x, column)))
    const range = `[${low}, ${high}]`
    return `<td${kind} title="${tip}">${at} <span class="ci">${range}</span></td>`
  }
  const text = typeof value === 'number' ? trueMinus(shown(value, column)) : shown(value, column)
  return `<td${kind === '' ? classOf(text) : kind}>${breakable(text)}</td>`
}

function classOf(text: string): string {
  const runsOn = text.split(/[\s/:_=-]/u).some((word) => word.length > WORD)
  const names = [...(text.length > SENTENCE ? ['long'] : []), ...(runsOn ? ['run-on'] : [])]
  return names.length === 0 ? '' : ` class="${names.join(' ')}"`
}

/** Names break after `/ : _ =` only: `recoglab/` `comparison`. */
const breakable = (text: string): string => text.split(AFTER).map(escapeHtml).join('<wbr>')
const AFTER = /(?<=[\p{L}\p{N}][/:_=])(?=[\p{L}\p{N}])/u
/** Longer words break anywhere in a narrow column. */
const WORD = 18

/** Longer texts get a wide column. */
const SENTENCE = 60
