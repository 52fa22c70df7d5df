import type { Estimate, Table } from '../core/index.ts'
import { shortNames } from './figures/names.ts'
import { isEstimate } from './formats/values.ts'
import type { LeftOut, ReportedAnalysis } from './report.ts'
import { ALPHA, isToldApart, setOf } from './told-apart.ts'

type Row = Table['rows'][number]

/** More sets of items, models or pairs than these are not named one by one. */
const MAX_SHOWN_SETS = 4
const MAX_SHOWN_PAIRS = 4
const MAX_SHOWN_MODELS = 6

/** Cells of a run's plan. */
export interface Plan {
  readonly cells: number
  /** Those without a response. */
  readonly open: number
}

/** What the lines are drawn from. */
interface Drawn {
  readonly analyses: readonly ReportedAnalysis[]
  readonly parser: string
  readonly leftOut: readonly LeftOut[]
  readonly plan: Plan | undefined
}

/**
 * What a person can quote, about ten lines, all of it out of the tables below: who was asked what, how it went and how sure
 * that is, what is not told apart, what went wrong, what it cost.
 */
export function headline({ analyses: whole, parser, leftOut, plan }: Drawn): readonly string[] {
  const analyses = quotable(whole)
  const rowsOf = (id: string): readonly Row[] => analyses.find((one) => one.id === id)?.tables[0]?.rows ?? []
  const accuracy = rowsOf('core/accuracy')
  const measured = analyses.find(({ id }) => id === 'core/measures')?.tables[0]
  const estimates = [...estimatesOf(accuracy, 'accuracy', 'answers'), ...measuresOf(measured)]
  return [
    ...who(accuracy, parser),
    ...unfinished(plan),
    ...(measured === undefined ? [] : [...scored(measured), ...rankings(analyses)]),
    ...sets(accuracy).slice(0, MAX_SHOWN_SETS).map(leader),
    ...(sets(accuracy).length > MAX_SHOWN_SETS
      ? [`${plural(sets(accuracy).length - MAX_SHOWN_SETS, 'more set')} of items below.`]
      : []),
    ...analyses.filter(({ id }) => id === 'core/until' || id === 'core/adapt').map(({ title }) => `${title}.`),
    ...breaks(rowsOf('core/adapt')),
    ...apart(rowsOf('core/paired'), accuracy),
    ...fewGroups(estimates),
    ...oneGroup(estimates),
    ...overTasks(rowsOf('core/pooled')),
    ...reading(accuracy, parser),
    ...trouble(accuracy),
    ...cost(rowsOf('core/usage')),
    ...broken(leftOut),
  ]
}

/** Characters of a model's name in a line that is quoted. */
const NAME = 60
/** Columns that name models. */
const NAMING = ['model', 'a', 'b']

/** The same tables with names of models cut in the middle, so that they stay apart, and the title of a rule that names them. */
function quotable(analyses: readonly ReportedAnalysis[]): readonly ReportedAnalysis[] {
  const cells = analyses.flatMap(({ tables }) => tables.slice(0, 1).flatMap(({ rows }) => rows))
  const names = new Set(
    cells.flatMap((row) => NAMING.flatMap((key) => (typeof row[key] === 'string' ? [row[key]] : []))),
  )
  const short = shortNames([...names], NAME)
  const long = [...short].filter(([name, cut]) => name !== cut).sort(([a], [b]) => b.length - a.length)
  if (long.length === 0) return analyses
  const cut = (row: Row): Row => ({
    ...row,
    ...Object.fromEntries(
      NAMING.filter((key) => key in row).map((key) => [key, short.get(text(row, key)) ?? row[key] ?? null]),
    ),
  })
  return analyses.map((one) => ({
    ...one,
    title: long.reduce((title, [name, cut]) => title.replaceAll(name, cut), one.title),
    tables: one.tables.map((table, i) => (i === 0 ? { ...table, rows: table.rows.map(cut) } : table)),
  }))
}

const text = (row: Row, key: string): string => String(row[key] ?? '')
const number = (row: Row, key: string): number => (typeof row[key] === 'number' ? row[key] : 0)
const distinct = (rows: readonly Row[], key: string): readonly string[] => [
  ...new Set(rows.map((row) => text(row, key))),
]
const counted = (n: number): string => n.toLocaleString('en-US')
const plural = (n: number, one: string): string => `${counted(n)} ${one}${n === 1 ? '' : 's'}`
const total = (rows: readonly Row[], key: string): number => rows.reduce((sum, row) => sum + number(row, key), 0)

function who(accuracy: readonly Row[], parser: string): string[] {
  if (accuracy.length === 0) return []
  const answers = total(accuracy, 'planned') - total(accuracy, 'failed')
  const models = distinct(accuracy, 'model')
  const names = models.length <= MAX_SHOWN_MODELS ? `: ${models.join(', ')}` : ''
  return [
    `${plural(models.length, 'model')}${names}; ${plural(answers, 'answer')} on ${distinct(accuracy, 'task').join(', ')}, read by the ${parser} parser.`,
  ]
}

/** What a run was not asked, or not yet. */
const unfinished = (plan: Plan | undefined): readonly string[] =>
  plan === undefined || plan.open === 0
    ? []
    : [`Not finished: ${counted(plan.open)} of ${counted(plan.cells)} planned cells have no response.`]

/** Whose strings were scored, and for each set of items the first of its measures. */
function scored({ columns, rows }: Table): string[] {
  const measure = columns.find(({ kind }) => kind === 'estimate')
  if (measure === undefined) return []
  const models = distinct(rows, 'model')
  const count = total(rows, 'n')
  const all = [...Map.groupBy(rows, (row) => [setOf(row), text(row, 'kind')].filter(Boolean).join(', '))]
  return [
    `${plural(models.length, 'model')}: ${models.slice(0, MAX_SHOWN_MODELS).join(', ')}${models.length > MAX_SHOWN_MODELS ? ' ..' : ''}; ${plural(count, 'string')} scored on ${distinct(rows, 'task').join(', ')}.`,
    ...all.slice(0, MAX_SHOWN_SETS).map(([name, own]) => {
      const values = own.flatMap((row) => {
        const found = row[measure.key]
        return isEstimate(found) ? [`${text(row, 'model')} ${measurement(found)}`] : []
      })
      const more = values.length > MAX_SHOWN_MODELS ? ` and ${values.length - MAX_SHOWN_MODELS} more` : ''
      return `${name}: ${measure.label.toLowerCase()} (mean) of ${values.slice(0, MAX_SHOWN_MODELS).join(', ')}${more}.`
    }),
  ]
}

/** Sets of a ranking that are quoted. */
const RANKED = 2

/** What tasks rank models by: the measure of their paper, where strings have measures of many kinds. */
function rankings(analyses: readonly ReportedAnalysis[]): string[] {
  const tables = analyses.flatMap((one) => one.tables.slice(0, 1))
  return tables.flatMap(({ columns, rows }) => {
    const rank = columns.findIndex(({ key, kind }) => key === 'rank' && kind === 'number')
    const measure = columns.find(({ kind }) => kind === 'estimate')
    if (rank < 0 || measure === undefined || !columns.some(({ key }) => key === 'model')) return []
    const of = columns.slice(0, rank)
    const all = [
      ...Map.groupBy(rows, (row) => of.map(({ key, label }) => `${label.toLowerCase()} ${text(row, key)}`).join(', ')),
    ]
    const lines = all.slice(0, RANKED).map(([name, own]) => {
      const told = own.slice(0, MAX_SHOWN_MODELS).map((row) => {
        const found = row[measure.key]
        return `${text(row, 'model')} ${isEstimate(found) ? withInterval(found) : 'not known'}`
      })
      const more = own.length > MAX_SHOWN_MODELS ? ` and ${own.length - MAX_SHOWN_MODELS} more` : ''
      return `${measure.label} (${name}): ${told.join(', ')}${more}.`
    })
    return all.length > RANKED ? [...lines, `${plural(all.length - RANKED, 'more ranking')} below.`] : lines
  })
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
  const name = rows[0] === undefined ? '' : setOf(rows[0])
  if (found.length === 0) return `${name}: nothing that counts.`
  const alike = found.every(({ accuracy }) => accuracy.n === found[0]?.accuracy.n)
  const named = found
    .slice(0, MAX_SHOWN_MODELS)
    .map(({ model, accuracy }) => `${model} ${withInterval(accuracy)}${alike ? '' : ` of ${counted(accuracy.n)}`}`)
  const more = found.length > MAX_SHOWN_MODELS ? ` and ${found.length - MAX_SHOWN_MODELS} more` : ''
  return `${name}: ${named.join(', ')}${more}.`
}

/** Where the models of an adaptive run break. */
function breaks(rows: readonly Row[]): string[] {
  const found = rows.flatMap((row) => (isEstimate(row['x50']) ? [`${text(row, 'model')} ${place(row['x50'])}`] : []))
  return found.length === 0
    ? []
    : [`50 % of what is not guessed is solved at: ${found.slice(0, MAX_SHOWN_MODELS).join(', ')}.`]
}

const place = ({ value, low, high }: Estimate): string => `${value.toFixed(1)} [${low.toFixed(1)}, ${high.toFixed(1)}]`

/** Of several sets of items a pair stands once in each, so that the set is named with it; some may have no items in common. */
function apart(pairs: readonly Row[], accuracy: readonly Row[]): string[] {
  if (pairs.length === 0) return []
  const possible = sets(accuracy).reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0)
  const lost = Math.max(0, possible - pairs.length)
  const beside = lost === 0 ? '' : `; ${counted(lost)} more had too few items in common`
  const several =
    distinct(
      pairs.map((row) => ({ set: setOf(row) })),
      'set',
    ).length > 1
  const of = several
    ? `${plural(pairs.length, 'comparison')} of two models on one set of items`
    : `${plural(pairs.length, 'pair')} of models`
  const open = pairs.filter((row) => !isToldApart(row))
  const told = `Told apart: ${counted(pairs.length - open.length)} of ${of} (Holm ${ALPHA} over all of them${beside})`
  if (open.length === 0) return [`${told}.`]
  const names = open
    .slice(0, MAX_SHOWN_PAIRS)
    .map((row) => `${text(row, 'a')} and ${text(row, 'b')}${several ? ` on ${setOf(row)}` : ''}`)
  const more = open.length > MAX_SHOWN_PAIRS ? `, and ${counted(open.length - MAX_SHOWN_PAIRS)} more` : ''
  return [`${told}; not told apart: ${names.join(', ')}${more}.`]
}

/** With twelve groups intervals are about as wide as with many. */
const MANY_GROUPS = 12

/** The first estimate of each set of items, of how many answers or strings it is and of how many groups. */
interface Counted {
  readonly name: string
  readonly what: 'answers' | 'strings'
  readonly n: number
  readonly groups: number
}

const estimatesOf = (rows: readonly Row[], key: string, what: Counted['what']): readonly Counted[] =>
  sets(rows).flatMap(([row]) => {
    const estimate = row?.[key]
    if (row === undefined || !isEstimate(estimate)) return []
    const { n, groups = n } = estimate
    return [{ name: setOf(row), what, n, groups }]
  })

/** Strings of one kind stand for all: the others are of the same groups. */
function measuresOf(measured: Table | undefined): readonly Counted[] {
  const key = measured?.columns.find(({ kind }) => kind === 'estimate')?.key
  return measured === undefined || key === undefined ? [] : estimatesOf(measured.rows, key, 'strings')
}

/** Why intervals of many items can be wide. */
function fewGroups(estimates: readonly Counted[]): string[] {
  const found = estimates
    .filter(({ n, groups }) => groups > 1 && groups < MANY_GROUPS && groups < n)
    .map(({ name, what, n, groups }) =>
      what === 'answers'
        ? `the ${counted(n)} answers of a model to ${name} are of ${groups}`
        : `the strings that a model scored on ${name} are of ${groups}`,
    )
  if (found.length === 0) return []
  const more = found.length > MAX_SHOWN_SETS ? `, and ${counted(found.length - MAX_SHOWN_SETS)} more sets of few` : ''
  return [
    `Few groups: ${found.slice(0, MAX_SHOWN_SETS).join(', ')}${more}. Intervals count groups of items that share something, such as a grammar: more groups make them narrow, more items of the same groups hardly.`,
  ]
}

/** Intervals that say nothing of how groups differ. */
function oneGroup(estimates: readonly Counted[]): string[] {
  const found = estimates.filter(({ n, groups }) => groups === 1 && n > 1).map(({ name }) => name)
  if (found.length === 0) return []
  const more = found.length > MAX_SHOWN_SETS ? `, and of ${counted(found.length - MAX_SHOWN_SETS)} more sets` : ''
  return [
    `One group: all items of ${found.slice(0, MAX_SHOWN_SETS).join(', of ')}${more} share something, such as a grammar. Intervals are for that group, and tell nothing of others like it.`,
  ]
}

/** The surest verdict over tasks, and of how many pairs. */
function overTasks(pairs: readonly Row[]): string[] {
  const told = pairs.filter(isToldApart)
  const [first] = told.toSorted((a, b) => number(a, 'holm') - number(b, 'holm'))
  const most = Math.max(0, ...pairs.map((row) => number(row, 'tasks')))
  if (pairs.length === 0) return []
  const start = `Told apart over up to ${most} tasks, as a sample of tasks like them: ${told.length} of ${plural(pairs.length, 'pair')} of models`
  if (first === undefined || !isEstimate(first['difference'])) return [`${start}.`]
  const { value, low, high, ...more } = first['difference']
  const [ahead, behind] = value < 0 ? ['b', 'a'] : ['a', 'b']
  const lead = value < 0 ? { ...more, value: -value, low: -high, high: -low } : first['difference']
  return [
    `${start}, most surely ${text(first, ahead)} from ${text(first, behind)}, by ${withInterval(lead)} ahead of it.`,
  ]
}

function reading(accuracy: readonly Row[], parser: string): string[] {
  const gaps = accuracy.flatMap((row) =>
    isEstimate(row['accuracy']) && typeof row['lenient'] === 'number'
      ? [{ model: text(row, 'model'), gap: row['lenient'] - row['accuracy'].value }]
      : [],
  )
  const [largest] = gaps.sort((a, b) => b.gap - a.gap)
  if (largest === undefined || largest.gap < 0.005 || parser === 'lenient') return []
  return [`How answers are read can change up to ${share(largest.gap)} (${largest.model}: lenient over ${parser}).`]
}

function trouble(accuracy: readonly Row[]): string[] {
  const parts = (
    [
      ['unparsed', 'could not be read'],
      ['truncated', 'were cut'],
      ['refused', 'were refused'],
      ['failed', 'failed'],
    ] as const
  ).flatMap(([key, words]) => (total(accuracy, key) > 0 ? [`${counted(total(accuracy, key))} ${words}`] : []))
  if (accuracy.length === 0) return []
  if (parts.length === 0) return ['Every answer was read.']
  return [`Of ${plural(total(accuracy, 'planned'), 'cell')} asked ${parts.join(', ')}.`]
}

/** Money where any was paid, and whose is not known; else tokens. */
function cost(usage: readonly Row[]): string[] {
  const usd = total(usage, 'usd')
  if (usd > 0) {
    const unknown = distinct(
      usage.filter((row) => typeof row['usd'] !== 'number'),
      'model',
    )
    const beside = unknown.length === 0 ? '' : `, without ${unknown.join(', ')}, whose cost is not known`
    return [`It cost $${usd < 0.01 ? usd.toPrecision(2) : usd.toFixed(2)}${beside}.`]
  }
  const tokens = total(usage, 'written')
  return tokens > 0 ? [`${plural(tokens, 'token')} written.`] : []
}

function broken(leftOut: readonly LeftOut[]): string[] {
  const found = leftOut.filter(({ cause }) => cause === 'broken')
  return found.length === 0 ? [] : [`Analyses that broke off: ${found.map(({ id }) => id).join(', ')}.`]
}
