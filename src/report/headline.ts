import type { Estimate, Table } from '../core/index.ts'
import { isEstimate } from './formats/values.ts'
import type { LeftOut, ReportedAnalysis } from './report.ts'

type Row = Table['rows'][number]

/** More sets of items, models or pairs than these are not named one by one. */
const NAMED_SETS = 4
const NAMED_PAIRS = 4
/** A pair of models is told apart below this, corrected over all pairs. */
const ALPHA = 0.05

/**
 * What a person can quote, about ten lines, all of it out of the tables below: who was asked what, how it went and how sure
 * that is, what is not told apart, what went wrong, what it cost.
 */
export function headline(
  analyses: readonly ReportedAnalysis[],
  rows: number,
  parser: string,
  leftOut: readonly LeftOut[],
): readonly string[] {
  const rowsOf = (id: string): readonly Row[] => analyses.find((one) => one.id === id)?.tables[0]?.rows ?? []
  const accuracy = rowsOf('core/accuracy')
  const measured = analyses.find(({ id }) => id === 'core/measures')?.tables[0]
  return [
    ...who(accuracy, rows, parser),
    ...(measured === undefined ? [] : scored(measured)),
    ...sets(accuracy).slice(0, NAMED_SETS).map(leader),
    ...(sets(accuracy).length > NAMED_SETS ? [`${sets(accuracy).length - NAMED_SETS} more sets of items below.`] : []),
    ...analyses.filter(({ id }) => id === 'core/until' || id === 'core/adapt').map(({ title }) => `${title}.`),
    ...breaks(rowsOf('core/adapt')),
    ...apart(rowsOf('core/paired')),
    ...overTasks(rowsOf('core/pooled')),
    ...reading(accuracy),
    ...trouble(accuracy),
    ...cost(rowsOf('core/usage')),
    ...broken(leftOut),
  ]
}

const text = (row: Row, key: string): string => String(row[key] ?? '')
const number = (row: Row, key: string): number => (typeof row[key] === 'number' ? row[key] : 0)
const distinct = (rows: readonly Row[], key: string): readonly string[] => [
  ...new Set(rows.map((row) => text(row, key))),
]
const plural = (n: number, one: string): string => `${n} ${one}${n === 1 ? '' : 's'}`
const setOf = (row: Row): string =>
  ['task', 'config', 'style']
    .map((key) => text(row, key))
    .join(' ')
    .replaceAll(/ +/g, ' ')
    .trim()

function who(accuracy: readonly Row[], rows: number, parser: string): string[] {
  if (accuracy.length === 0) return []
  const models = distinct(accuracy, 'model')
  const names = models.length <= 6 ? `: ${models.join(', ')}` : ''
  return [
    `${plural(models.length, 'model')}${names}; ${plural(rows, 'answer')} on ${distinct(accuracy, 'task').join(', ')}, read by the ${parser} parser.`,
  ]
}

/** Whose strings were scored, and for each set of items the first of its measures. */
function scored({ columns, rows }: Table): string[] {
  const measure = columns.find(({ kind }) => kind === 'estimate')
  if (measure === undefined) return []
  const models = distinct(rows, 'model')
  const count = rows.reduce((sum, row) => sum + number(row, 'n'), 0)
  const all = [...Map.groupBy(rows, (row) => [setOf(row), text(row, 'kind')].filter(Boolean).join(', '))]
  return [
    `${plural(models.length, 'model')}: ${models.slice(0, 6).join(', ')}${models.length > 6 ? ' ..' : ''}; ${plural(count, 'string')} scored on ${distinct(rows, 'task').join(', ')}.`,
    ...all.slice(0, NAMED_SETS).map(([name, own]) => {
      const values = own.flatMap((row) => {
        const found = row[measure.key]
        return isEstimate(found) ? [`${text(row, 'model')} ${measurement(found)}`] : []
      })
      const more = values.length > 6 ? ` and ${values.length - 6} more` : ''
      return `${name}: ${measure.label.toLowerCase()} (mean) of ${values.slice(0, 6).join(', ')}${more}.`
    }),
  ]
}

const measurement = ({ value, low, high }: Estimate): string =>
  `${value.toPrecision(4)} [${low.toPrecision(4)}, ${high.toPrecision(4)}]`

/** The rows of each set of items, in their order. */
const sets = (accuracy: readonly Row[]): readonly (readonly Row[])[] => [...Map.groupBy(accuracy, setOf).values()]

const share = (value: number): string => value.toFixed(3)
const withInterval = ({ value, low, high }: Estimate): string => `${share(value)} [${share(low)}, ${share(high)}]`

function leader(rows: readonly Row[]): string {
  const found = rows
    .flatMap((row) => (isEstimate(row['accuracy']) ? [{ model: text(row, 'model'), accuracy: row['accuracy'] }] : []))
    .sort((a, b) => b.accuracy.value - a.accuracy.value)
  const [first, ...others] = found
  const name = rows[0] === undefined ? '' : setOf(rows[0])
  if (first === undefined) return `${name}: nothing that counts.`
  const rest = others.slice(0, 5).map(({ model, accuracy }) => `${model} ${share(accuracy.value)}`)
  const more = others.length > 5 ? ` and ${others.length - 5} more` : ''
  return `${name}: ${first.model} ${withInterval(first.accuracy)}${rest.length === 0 ? '' : `; ${rest.join(', ')}${more}`}.`
}

/** Where the models of an adaptive run break. */
function breaks(rows: readonly Row[]): string[] {
  const found = rows.flatMap((row) => (isEstimate(row['x50']) ? [`${text(row, 'model')} ${place(row['x50'])}`] : []))
  return found.length === 0 ? [] : [`50 % of what is not guessed is solved at: ${found.slice(0, 6).join(', ')}.`]
}

const place = ({ value, low, high }: Estimate): string => `${value.toFixed(1)} [${low.toFixed(1)}, ${high.toFixed(1)}]`

function apart(pairs: readonly Row[]): string[] {
  if (pairs.length === 0) return []
  const open = pairs.filter((row) => !(number(row, 'holm') < ALPHA))
  const told = `${pairs.length - open.length} of ${plural(pairs.length, 'pair')} of models are told apart (Holm ${ALPHA} over all pairs)`
  if (open.length === 0) return [`${told}.`]
  const names = open.slice(0, NAMED_PAIRS).map((row) => `${text(row, 'a')} and ${text(row, 'b')}`)
  const more = open.length > NAMED_PAIRS ? `, and ${open.length - NAMED_PAIRS} more` : ''
  return [`${told}; not told apart: ${names.join(', ')}${more}.`]
}

/** The surest verdict over tasks, and of how many pairs. */
function overTasks(pairs: readonly Row[]): string[] {
  const told = pairs.filter((row) => number(row, 'holm') < ALPHA)
  const [first] = told.toSorted((a, b) => number(a, 'holm') - number(b, 'holm'))
  const most = Math.max(0, ...pairs.map((row) => number(row, 'tasks')))
  if (pairs.length === 0) return []
  const start = `Over up to ${most} tasks, as a sample of tasks like them, ${told.length} of ${plural(pairs.length, 'pair')} of models are told apart`
  if (first === undefined || !isEstimate(first['difference'])) return [`${start}.`]
  return [`${start}, most surely ${text(first, 'a')} and ${text(first, 'b')} (${withInterval(first['difference'])}).`]
}

function reading(accuracy: readonly Row[]): string[] {
  const gaps = accuracy.flatMap((row) =>
    isEstimate(row['accuracy']) && typeof row['lenient'] === 'number'
      ? [{ model: text(row, 'model'), gap: row['lenient'] - row['accuracy'].value }]
      : [],
  )
  const [largest] = gaps.sort((a, b) => b.gap - a.gap)
  if (largest === undefined || largest.gap < 0.005) return []
  return [`How answers are read can change up to ${share(largest.gap)} (${largest.model}: lenient over strict).`]
}

function trouble(accuracy: readonly Row[]): string[] {
  const sum = (key: string): number => accuracy.reduce((total, row) => total + number(row, key), 0)
  const parts = (
    [
      ['unparsed', 'could not be read'],
      ['truncated', 'were cut'],
      ['refused', 'were refused'],
      ['failed', 'failed'],
    ] as const
  ).flatMap(([key, words]) => (sum(key) > 0 ? [`${sum(key)} ${words}`] : []))
  if (accuracy.length === 0) return []
  return [parts.length === 0 ? 'Every answer was read.' : `Of ${sum('planned')} answers ${parts.join(', ')}.`]
}

function cost(usage: readonly Row[]): string[] {
  const usd = usage.reduce((total, row) => total + number(row, 'usd'), 0)
  const tokens = usage.reduce((total, row) => total + number(row, 'outputTokens') * number(row, 'cells'), 0)
  if (usd > 0) return [`It cost $${usd < 0.01 ? usd.toPrecision(2) : usd.toFixed(2)}.`]
  return tokens > 0 ? [`${Math.round(tokens)} tokens were written.`] : []
}

function broken(leftOut: readonly LeftOut[]): string[] {
  const found = leftOut.filter(({ cause }) => cause === 'broken')
  return found.length === 0 ? [] : [`Analyses that broke off: ${found.map(({ id }) => id).join(', ')}.`]
}
