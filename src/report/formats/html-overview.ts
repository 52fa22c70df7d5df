import { type Estimate, points } from '../../core/index.ts'
import { FEW_GROUPS, isOfFew, isShown, MIN_SHOWN_ITEMS } from '../../libraries/statistics/group-counts.ts'
import { PARSED_GAP } from '../headline.ts'
import type { Report, ReportedAnalysis } from '../report.ts'
import { CONDITION_KEYS, conditionName, isSignificant, number, type Row, text, total } from '../rows.ts'
import type { RunVerdict, VerdictLine } from '../run-verdict.ts'
import { conditionHtml, escapeHtml, isolated } from './html-text.ts'
import { counted, isEstimate, plural } from './values.ts'

/** Most models and conditions of the matrix, and lines of a side of the verdict; all are in the folded tables. */
const MAX_MODELS = 8
const MAX_CONDITIONS = 24
const MAX_LINES = 10

/** The first screen: the verdict, accuracy by task, and the models. `analyses` have short names of models, `full` the long ones. */
export function overviewHtml(
  { verdict, tasks }: Report,
  analyses: readonly ReportedAnalysis[],
  full: ReadonlyMap<string, string>,
): string {
  const rowsOf = (id: string): readonly Row[] => analyses.find((one) => one.id === id)?.tables[0]?.rows ?? []
  const [accuracy, usage] = [rowsOf('core/accuracy'), rowsOf('core/usage')]
  if (verdict === null || accuracy.length === 0) return ''
  const models = modelsIn(accuracy)
  const nouns = new Map(tasks.map(({ name, groupNoun }) => [name, groupNoun]))
  return `<section class="verdict ${verdict.kind}">
${verdictHtml(verdict)}
</section>
<section id="accuracy-by-task">${matrixHtml(accuracy, rowsOf('core/paired'), models, nouns)}</section>
<section id="models">${modelsHtml(accuracy, usage, models, full)}</section>`
}

/** In the order of the rows, which is that of the colours in figures. */
const modelsIn = (accuracy: readonly Row[]): readonly string[] => [
  ...new Set(accuracy.map((row) => text(row, 'model'))),
]

// ---- The verdict

function verdictHtml({ title, detail, pair, better, worse, unclear }: RunVerdict): string {
  const head = `<h2>${unbroken(isolated(title))}</h2>${detail === '' ? '' : `<p>${isolated(detail)}</p>`}`
  // Of one condition the sentence says it all.
  if (pair === null || better.length + worse.length + unclear.length < 2) return head
  const won = [
    ...side(`${pair.a} better`, 'difference in points, 95 % CI', better),
    ...side(`${pair.b} better`, 'difference in points, 95 % CI', worse),
  ]
  const open = side('No clear difference', `${pair.a} − ${pair.b}, and what would settle it`, unclear)
  const columns = [won.join(''), open.join('')].filter((html) => html !== '')
  return `${head}<div class="sides">${columns.map((html) => `<div>${html}</div>`).join('')}</div>`
}

/** Short names with hyphens, such as those of models, do not break over lines. */
const unbroken = (html: string): string =>
  html.replaceAll(/(?<!\S)(?=\S{3,20}(?!\S))[^\s<>]+-[^\s<>]+/gu, '<span class="unbroken">$&</span>')

function side(title: string, note: string, lines: readonly VerdictLine[]): readonly string[] {
  if (lines.length === 0) return []
  const rows = lines.slice(0, MAX_LINES).map(({ condition, difference: { value, low, high }, settle }) => {
    const range = `<small>${points(low)} to ${points(high)}</small>`
    const what = settle === '' ? '' : `<td>${escapeHtml(settle)}</td>`
    return `<tr><th scope="row">${conditionHtml(condition)}</th><td class="n"><b>${points(value)}</b> ${range}</td>${what}</tr>`
  })
  const more = lines.length > MAX_LINES ? `<p class="note">${lines.length - MAX_LINES} more in the appendix.</p>` : ''
  return [
    `<table><caption>${isolated(title)} <small>${isolated(note)}</small></caption><tbody>${rows.join('')}</tbody></table>${more}`,
  ]
}

// ---- Accuracy by task

/** More models have no column each but a line beside their mark. */
const MAX_COLUMNS = 4
/** Pixels between two models in a row of the matrix, and between two lines. */
const STEP = 11
const LINE_STEP = 18

function matrixHtml(
  accuracy: readonly Row[],
  paired: readonly Row[],
  models: readonly string[],
  nouns: ReadonlyMap<string, string>,
): string {
  const shown = mostAccurate(accuracy, models)
  const numbers = shown.map((model) => models.indexOf(model))
  const inLines = shown.length > MAX_COLUMNS
  const heads = shown.map((model, i) => `${markHtml(numbers[i] as number)}${isolated(model)}`)
  const names = conditionNames(accuracy)
  const conditions = [...Map.groupBy(accuracy, conditionName)]
  const pairs = Map.groupBy(paired, conditionName)
  const body = conditions.slice(0, MAX_CONDITIONS).map(([key, rows]) => {
    const [first] = rows as [Row]
    const best = bestOf(rows, pairs.get(key) ?? [])
    const own = shown.map((model) => rows.find((row) => row['model'] === model))
    const cells = own.map((row, i) => ({ ...numberHtml(row, shown[i] as string, best), name: heads[i] as string }))
    const values = inLines
      ? `<td class="lines"><ul>${cells.map(({ html, weak, tip, name }) => `<li${weak} title="${tip}"><span>${name}</span> <span>${html}</span></li>`).join('')}</ul></td>`
      : cells
          .map(
            ({ html, weak, tip }, i) =>
              `<td class="n${weak === '' ? '' : ' weak'}" title="${tip}" data-model="${escapeHtml(shown[i] as string)}">${html}</td>`,
          )
          .join('')
    return `<tr><th scope="row">${conditionHtml(names(first))}<small>${sizeHtml(rows, pairs.get(key) ?? [], nouns)}</small></th>
<td class="axis" aria-hidden="true">${axisHtml(first, own, numbers, inLines ? LINE_STEP : STEP)}</td>${values}</tr>`
  })
  const ticks = [0, 25, 50, 75, 100].map((at) => `<span style="left:${at}%">${at}</span>`).join('')
  const left = [
    ...(models.length > shown.length ? [plural(models.length - shown.length, 'less accurate model')] : []),
    ...(conditions.length > MAX_CONDITIONS ? [plural(conditions.length - MAX_CONDITIONS, 'condition')] : []),
  ]
  return `<div class="scroll" tabindex="0" role="group" aria-label="Accuracy by task"><table class="matrix"><caption>Accuracy by task <small>% correct of all calls but errors; unparsed, truncated and refused responses are incorrect</small></caption>
<thead><tr><th scope="col">Task</th><th class="axis" aria-hidden="true"><div>${ticks}</div></th>${inLines ? '<th scope="col">Models, % correct</th>' : heads.map((head) => `<th scope="col" class="n">${head}</th>`).join('')}</tr></thead>
<tbody>${body.join('\n')}</tbody></table></div>
<p class="legend">${paired.length > 0 ? '<span><b>Bold</b>: no model is significantly better</span>' : ''}<span>Bars: 95 % CI</span>${
    accuracy.some((row) => isEstimate(row['accuracy']) && isOfFew(row['accuracy']))
      ? `<span><i class="dots"></i> fewer than ${FEW_GROUPS} groups</span>`
      : ''
  }${accuracy.some((row) => typeof row['chance'] === 'number') ? '<span><i class="ref"></i> chance</span>' : ''}${
    accuracy.some((row) => typeof row['heuristic'] === 'number')
      ? '<span><i class="ref rule"></i> heuristic baseline</span>'
      : ''
  }${left.length === 0 ? '' : `<span>${left.join(' and ')} more in the appendix</span>`}</p>`
}

/** The models with the highest mean accuracy, in the order of the rows. */
function mostAccurate(accuracy: readonly Row[], models: readonly string[]): readonly string[] {
  const mean = (model: string): number => {
    const known = accuracy.flatMap((row) =>
      row['model'] === model && isEstimate(row['accuracy']) ? [row['accuracy'].value] : [],
    )
    return known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length)
  }
  const best = models.toSorted((x, y) => mean(y) - mean(x)).slice(0, MAX_MODELS)
  return models.filter((model) => best.includes(model))
}

/** Config and style are named where they vary within the task. */
function conditionNames(accuracy: readonly Row[]): (row: Row) => string {
  const values = new Map<string, Set<string>>()
  for (const row of accuracy)
    for (const key of CONDITION_KEYS) {
      const name = `${text(row, 'task')}\n${key}`
      values.set(name, (values.get(name) ?? new Set()).add(text(row, key)))
    }
  const varies = (row: Row, key: string): boolean => (values.get(`${text(row, 'task')}\n${key}`)?.size ?? 0) > 1
  return (row) =>
    CONDITION_KEYS.filter((key) => key === 'task' || varies(row, key))
      .map((key) => text(row, key))
      .join(', ')
}

/** The models that none is significantly better than; none over few groups. */
function bestOf(rows: readonly Row[], pairs: readonly Row[]): ReadonlySet<string> {
  const known = rows.flatMap((row) => (isEstimate(row['accuracy']) ? [{ row, accuracy: row['accuracy'] }] : []))
  if (pairs.length === 0 || known.length < 2 || known.some(({ accuracy }) => isOfFew(accuracy))) return new Set()
  const beaten = new Set(
    pairs
      .filter(isSignificant)
      .map((row) => text(row, isEstimate(row['difference']) && row['difference'].value > 0 ? 'b' : 'a')),
  )
  return new Set(known.map(({ row }) => text(row, 'model')).filter((model) => !beaten.has(model)))
}

function sizeHtml(rows: readonly Row[], pairs: readonly Row[], nouns: ReadonlyMap<string, string>): string {
  const estimates = rows.flatMap(({ accuracy }) => (isEstimate(accuracy) ? [accuracy] : []))
  const n = Math.max(0, ...estimates.map((one) => one.n))
  const groups = Math.max(0, ...estimates.map((one) => one.groups ?? one.n))
  const items = plural(n, pairs.every((row) => row['items'] === n) ? 'item' : 'response')
  if (groups === n) return items
  const noun = nouns.get(text(rows[0] as Row, 'task')) ?? 'groups'
  const words = groups === 1 ? `1 ${noun.replace(/s$/u, '')}` : `${counted(groups)} ${noun}`
  return `${items} · ${groups < FEW_GROUPS ? `<span class="warn">${escapeHtml(words)}</span>` : escapeHtml(words)}`
}

/** @param numbers - of the models, which choose their colours */
function axisHtml(first: Row, rows: readonly (Row | undefined)[], numbers: readonly number[], step: number): string {
  const start = step === STEP ? STEP : step / 2
  const height = step * (rows.length - 1) + 2 * start
  const lines = (['chance', 'heuristic'] as const).flatMap((key) => {
    const at = first[key]
    return typeof at === 'number' && at > 0
      ? [`<i class="ref${key === 'chance' ? '' : ' rule'}" style="left:${place(at)}"></i>`]
      : []
  })
  const marks = rows.flatMap((row, i) => {
    const accuracy = row?.['accuracy']
    if (!isEstimate(accuracy) || !isShown(accuracy)) return []
    const { value, low, high } = accuracy
    const top = start + step * i
    const few = isOfFew(accuracy) ? ' few' : ''
    const colour = colourOf(numbers[i] as number)
    return [
      `<i class="bar m${colour}${few}" style="left:${place(low)};width:${place(high - low)};top:${top}px"></i>`,
      `<i class="point m${colour}" style="left:${place(value)};top:${top}px"></i>`,
    ]
  })
  return `<div style="height:${height}px">${[...lines, ...marks].join('')}</div>`
}

const place = (share: number): string => `${Number((100 * share).toFixed(1))}%`

const colourOf = (model: number): number => Math.min(5, model + 1)

const markHtml = (model: number): string => `<i class="point m${colourOf(model)}" aria-hidden="true"></i> `

/** The accuracy of a model on a condition, with its tooltip. */
function numberHtml(row: Row | undefined, model: string, best: ReadonlySet<string>) {
  const plain = { weak: '', tip: '' }
  const { accuracy, parsed } = row ?? {}
  if (row === undefined || !isEstimate(accuracy)) return { ...plain, html: '–' }
  if (accuracy.n < MIN_SHOWN_ITEMS) return { ...plain, html: `<small>n ${accuracy.n}</small>` }
  const [at, low, high] = percents(accuracy)
  const tip = escapeHtml(`n = ${accuracy.n}; ${accuracy.method}`)
  const value = best.has(model) ? `<b>${at}</b>` : at
  const range = accuracy.groups === 1 ? '' : ` <small>${low}–${high}</small>`
  const [of] =
    isEstimate(parsed) && Math.abs(parsed.value - accuracy.value) > PARSED_GAP && isShown(parsed)
      ? percents(parsed)
      : [null]
  const gap = of === null ? '' : `<small class="gap">${of} of the parsed</small>`
  const failed = number(row, 'failed')
  const chips = failed > 0 ? `<small class="chip bad">${plural(failed, 'error')}</small>` : ''
  return { weak: isShown(accuracy) ? '' : ' class="weak"', tip, html: `${value}${range}${gap}${chips}` }
}

/** Whole per cents where the interval is wider than two points, else one decimal. */
function percents({ value, low, high }: Estimate): readonly [string, string, string] {
  const digits = high - low > 0.02 ? 0 : 1
  const shown = (x: number): string => (100 * x).toFixed(digits)
  return [shown(value), shown(low), shown(high)]
}

// ---- Models

/** Totals of each model; columns in which nothing happened are left out. */
function modelsHtml(
  accuracy: readonly Row[],
  usage: readonly Row[],
  models: readonly string[],
  full: ReadonlyMap<string, string>,
): string {
  const all = models.map((model) => {
    const [own, used] = [accuracy, usage].map((rows) => rows.filter((row) => row['model'] === model))
    const [graded = [], spent = []] = [own, used]
    const [calls, usd, correct] = [total(spent, 'calls'), total(spent, 'usd'), total(graded, 'correct')]
    return {
      responses: total(graded, 'planned') - total(graded, 'failed'),
      correct,
      unparsed: total(graded, 'unparsed'),
      truncated: total(graded, 'truncated'),
      refused: total(graded, 'refused'),
      failed: total(graded, 'failed'),
      tokens: calls === 0 ? 0 : total(spent, 'outputTotal') / calls,
      usd,
      per: correct === 0 ? 0 : usd / correct,
    }
  })
  const columns = MODEL_COLUMNS.filter(({ key }) => key === 'correct' || all.some((one) => one[key] > 0))
  const rows = all.map((one, i) => {
    const model = models[i] as string
    const long = full.get(model) ?? model
    const name = `${markHtml(i)}<b>${isolated(model)}</b>${long === model ? '' : `<small>${isolated(long)}</small>`}`
    return `<tr><th scope="row">${name}</th>${columns.map(({ key, show }) => `<td class="n">${show(one[key])}</td>`).join('')}</tr>`
  })
  const heads = columns.map(({ label }) => `<th scope="col" class="n">${label}</th>`).join('')
  return `<div class="scroll" tabindex="0" role="group" aria-label="Models"><table class="models"><caption>Models</caption><thead><tr><th scope="col">Model</th>${heads}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`
}

const dollars = (usd: number): string =>
  usd === 0 ? '–' : `$${usd < 0.01 ? usd.toPrecision(2) : usd < 100 ? usd.toFixed(2) : counted(Math.round(usd))}`

const MODEL_COLUMNS = [
  { key: 'responses', label: 'Responses', show: counted },
  { key: 'correct', label: 'Correct', show: counted },
  { key: 'unparsed', label: 'Unparsed', show: counted },
  { key: 'truncated', label: 'Truncated', show: counted },
  { key: 'refused', label: 'Refused', show: counted },
  { key: 'failed', label: 'Errors', show: counted },
  { key: 'tokens', label: 'Output tokens per response', show: (n: number) => (n === 0 ? '–' : counted(Math.round(n))) },
  { key: 'usd', label: 'Cost', show: dollars },
  { key: 'per', label: 'Cost per correct', show: dollars },
] as const
