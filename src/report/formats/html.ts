import { trueMinus } from '../../core/text.ts'
import type { Report, ReportedAnalysis, ReportedTask } from '../report.ts'
import { conditionName, isSignificant } from '../rows.ts'
import { shortNamesIn, withShortNames } from '../short-names.ts'
import { describeRows, skippedName } from './describe.ts'
import { figureHtml, pageFigures } from './html-figures.ts'
import { overviewHtml } from './html-overview.ts'
import { htmlTable } from './html-table.ts'
import { conditionHtml, escapeHtml, fold, isolated } from './html-text.ts'
import { STYLE } from './style.ts'
import { fileName, plainText, plural } from './values.ts'

export interface HtmlOptions {
  /** Most rows shown per table; the rest is in its CSV file. */
  readonly mostRows: number
  /** Most figures shown per analysis; the rest is in SVG files. */
  readonly mostFigures: number
  /** Are the tables also written as CSV, for links? */
  readonly csv: boolean
  /** Are the figures also written as SVG, for links? */
  readonly svg: boolean
  /** SVG text of a figure by id; those that would show too little are not among them. */
  readonly figures: ReadonlyMap<string, string>
}

/** Most bytes of a page, so that it opens at once and fits into a mail; beyond it figures are only in files. */
const PAGE_BYTES = 2_800_000
/** Most rows of a table. */
const MAX_ROWS = 30

/** The report as one page of at most about 3 MB; a larger one is cut to fewer figures, with a note. */
export function htmlPage(report: Report, options: Omit<HtmlOptions, 'mostFigures'>): string {
  const { figures, shared } = pageFigures(options.figures)
  const mostRows = Math.min(options.mostRows, MAX_ROWS)
  const page = (mostFigures: number): string =>
    [...htmlPieces(report, { ...options, figures, mostRows, mostFigures }, shared)].join('')
  for (const mostFigures of [Number.POSITIVE_INFINITY, 6]) {
    const whole = page(mostFigures)
    if (Buffer.byteLength(whole) <= PAGE_BYTES) return whole
  }
  return page(3)
}

/** Tables of what is drawn, bins and points of curves: their measured numbers stand in another table. */
const OF_FIGURES = /\/(?:binned|curve)$/u

/** Analyses of the whole run whose result is not on the first screen. */
const OPEN = ['core/selection', 'core/sequential', 'core/adaptive', 'core/measures']

/**
 * The whole report as one page without scripts or outside files, everything escaped, with a content security policy that allows nothing
 * but its own style. First the verdict and accuracy by task, then a section a task with one figure; all else is folded.
 */
function* htmlPieces(report: Report, options: HtmlOptions, shared: string): Generator<string> {
  const { run, name, tasks } = report
  const title = `Report: ${plainText(name ?? run)}`
  const analyses = withShortNames(report.analyses).map((one) => ({
    ...one,
    tables: one.tables.filter(({ id }) => !OF_FIGURES.test(id)),
  }))
  const full = new Map([...shortNamesIn(report.analyses)].map(([long, short]) => [short, long]))
  const overview = overviewHtml(report, analyses, full)
  const whole = analyses.filter(({ task }) => task === null)
  const ofTask = Map.groupBy(analyses, ({ task }) => task ?? '')
  const sections = [...new Set([...tasks.map((task) => task.name), ...ofTask.keys()])].filter(
    (task) => task !== '' && ofTask.has(task),
  )
  const open = overview === '' ? whole : whole.filter(({ id }) => OPEN.includes(id))
  const quotable = report.headline.map((line) => `<li>${isolated(trueMinus(plainText(line, 600)))}</li>`).join('')
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
<body>${shared}
<nav aria-label="Contents"><b>Touchstone</b><ul><li>${link('top', 'Overview')}</li>${overview === '' ? '' : `<li>${link('models', 'Models')}</li>`}</ul>
<b>Tasks</b><ul>${sections.map((task) => `<li><a href="#${taskId(task)}">${conditionHtml(task)}</a></li>`).join('')}<li>${link('appendix', 'Appendix')}</li></ul></nav>
<div class="page">
<header id="top">
<h1>${escapeHtml(title)}</h1>
<p class="source">${[...(name === undefined ? [] : [`<code>${escapeHtml(plainText(run))}</code>`]), escapeHtml(describeRows(report))].join(' · ')}</p>
<p class="folded">Only unfolded parts of the page are printed.</p>
</header>
<main>
${overview === '' && quotable !== '' ? `<ul class="headline">${quotable}</ul>` : overview}
${open.map((analysis) => section(analysis, options)).join('\n')}
`
  for (const task of sections) {
    const known = tasks.find((one) => one.name === task)
    yield `${taskHtml(task, known, ofTask.get(task) ?? [], whole, options)}\n`
  }
  const rest = whole.filter((one) => !open.includes(one))
  const skipped = report.skipped.map(
    (one) => `<li><code>${escapeHtml(skippedName(one, report))}</code>: ${escapeHtml(plainText(one.reason))}</li>`,
  )
  yield `<section id="appendix"><h2>Appendix</h2>
${overview === '' || quotable === '' ? '' : fold('To quote', plural(report.headline.length, 'line'), `<ul class="headline">${quotable}</ul>`)}
${rest.map((analysis) => foldedSection(analysis, options)).join('\n')}
${skippedHtml(report, skipped)}
</section>
</main>
</div>
</body>
</html>
`
}

/** Failed analyses are named, as they are bugs. */
function skippedHtml({ skipped }: Report, lines: readonly string[]): string {
  if (lines.length === 0) return ''
  const failed = skipped.filter(({ cause }) => cause === 'error').length
  const why = failed === 0 ? '' : `, ${failed} of them failed`
  return fold(
    `Skipped: ${plural(lines.length, 'analysis', 'analyses')} that do not apply${why}`,
    '',
    `<ul>${lines.join('')}</ul>`,
  )
}

const link = (target: string, text: string): string => `<a href="#${target}">${escapeHtml(text)}</a>`

const taskId = (task: string): string => `task-${fileName(task)}`

/** Most verdicts of a section. */
const MAX_VERDICTS = 3

/** What was found on one task: the verdicts, one figure, and the rest folded. */
function taskHtml(
  name: string,
  task: ReportedTask | undefined,
  analyses: readonly ReportedAnalysis[],
  whole: readonly ReportedAnalysis[],
  options: HtmlOptions,
): string {
  const compared = whole.find(({ id }) => id === 'core/paired')?.tables[0]?.rows ?? []
  // One pair is the verdict of the run.
  const pairs = compared.length === 1 ? [] : compared.filter((row) => row['task'] === name)
  const several = new Set(pairs.map(conditionName)).size > 1
  const verdicts = pairs
    .filter((row) => pairs.length <= MAX_VERDICTS || isSignificant(row))
    .slice(0, MAX_VERDICTS)
    .map((row) => `${several ? `${conditionName(row).replace(`${name} `, '')}: ` : ''}${String(row['verdict'] ?? '')}`)
  if (pairs.length > MAX_VERDICTS)
    verdicts.push(`${pairs.filter(isSignificant).length} of ${pairs.length} pairs of models differ significantly.`)
  const [main, others] = mainFigure(analyses, options)
  const [features, rest] = [analyses.filter(isByFeature), analyses.filter((one) => !isByFeature(one))]
  const folded = [
    ...features.map((one) => foldedSection(others(one), options)),
    ...(rest.length === 1 && features.length === 0
      ? rest.map((one) => section(one, options))
      : rest.length === 0
        ? []
        : [
            fold(
              plural(rest.length, 'more analysis', 'more analyses'),
              titlesOf(rest),
              rest.map((one) => foldedSection(others(one), options)).join('\n'),
            ),
          ]),
  ]
  return `<section class="task" id="${taskId(name)}"><h2>${conditionHtml(name)}</h2>
${task === undefined ? '' : `<p class="source">${escapeHtml(sentence(task.summary))}</p>`}
${verdicts.map((text) => `<p>${isolated(trueMinus(text))}</p>`).join('')}
${main}
${folded.join('\n')}</section>`
}

const sentence = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.?!]$/u.test(text) ? '' : '.'}`

const titlesOf = (analyses: readonly ReportedAnalysis[]): string => {
  const titles = analyses.map(({ title, task }) => title.replace(`: ${task}`, ''))
  return `${titles.slice(0, 3).join(', ')}${titles.length > 3 ? ' …' : ''}`
}

const isByFeature = ({ id }: ReportedAnalysis): boolean => id.startsWith('core/by-feature/')

/**
 * The figure of the first feature that is a number, else the first that is drawn, of any analysis where none is by feature; and the
 * analyses without it.
 */
function mainFigure(
  analyses: readonly ReportedAnalysis[],
  { figures }: HtmlOptions,
): readonly [html: string, without: (analysis: ReportedAnalysis) => ReportedAnalysis] {
  const byFeature = analyses.filter(isByFeature)
  const drawn = (byFeature.length > 0 ? byFeature : analyses).flatMap((one) =>
    one.figures.filter(({ id }) => figures.has(id)),
  )
  const main = drawn.find(({ x }) => x.scale === 'linear') ?? drawn[0]
  if (main === undefined) return ['', (analysis) => analysis]
  const without = (analysis: ReportedAnalysis): ReportedAnalysis => ({
    ...analysis,
    figures: analysis.figures.filter((figure) => figure !== main),
  })
  return [figureHtml(main.id, main.title, figures.get(main.id) as string), without]
}

function foldedSection(analysis: ReportedAnalysis, options: HtmlOptions): string {
  const figures = analysis.figures.filter(({ id }) => options.figures.has(id)).length
  const inside = [plural(analysis.tables.length, 'table'), ...(figures === 0 ? [] : [plural(figures, 'figure')])].join(
    ', ',
  )
  return fold(analysis.title.replace(`: ${analysis.task}`, ''), inside, section(analysis, options, false))
}

function section(analysis: ReportedAnalysis, options: HtmlOptions, isTitled = true): string {
  const source =
    analysis.source === null ? '' : ` &middot; ${escapeHtml(`${analysis.source.paper}, ${analysis.source.item}`)}`
  const notes = analysis.notes.map((note) => `<li>${escapeHtml(note)}</li>`).join('')
  const drawn = analysis.figures.filter(({ id }) => options.figures.has(id))
  const weak = analysis.figures.filter(({ id }) => !options.figures.has(id))
  const left = drawn.slice(options.mostFigures)
  const parts = [
    isTitled ? `<h2>${escapeHtml(analysis.title)}</h2>` : '',
    `<p class="source"><code>${escapeHtml(analysis.id)}</code>${source}</p>`,
    notes === '' ? '' : `<ul class="notes">${notes}</ul>`,
    ...drawn
      .slice(0, options.mostFigures)
      .map(({ id, title }) => figureHtml(id, title, options.figures.get(id) as string)),
    left.length === 0
      ? ''
      : `<p>${left.length} more figures are not on this page: ${left.map((figure) => elsewhere(figure, options)).join(', ')}.</p>`,
    weak.length === 0 || options.figures.size === 0
      ? ''
      : `<p class="note">Not drawn, too few responses: ${weak.map(({ title }) => escapeHtml(title)).join(', ')}.</p>`,
    tablesHtml(analysis.tables, options, isTitled),
  ]
  return `<section id="${fileName(analysis.id)}">\n${parts.filter((part) => part !== '').join('\n')}\n</section>`
}

/** Of an analysis that is not folded itself the first table is open. */
function tablesHtml(tables: ReportedAnalysis['tables'], options: HtmlOptions, isOpen: boolean): string {
  const html = tables.map((table) => htmlTable(table, options))
  if (!isOpen || html.length < 2) return html.join('\n')
  const others = html.slice(1)
  return `${html[0]}\n${fold(plural(others.length, 'more table'), '', others.join('\n'))}`
}

const elsewhere = ({ id, title }: ReportedAnalysis['figures'][number], { svg }: HtmlOptions): string =>
  svg ? `<a href="figures/${fileName(id)}.svg">${escapeHtml(title)}</a>` : escapeHtml(title)
