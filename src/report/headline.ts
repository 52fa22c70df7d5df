import type { Estimate, Table } from '../core/index.ts'
import { isTemplateStyle } from '../core/index.ts'
import { counted, isEstimate, plural } from './formats/values.ts'
import type { ReportedAnalysis, SkippedAnalysis } from './report.ts'
import { ALPHA, conditionName, isSignificant, number, type Row, text, total } from './rows.ts'
import type { RunVerdict } from './run-verdict.ts'
import { withShortNames } from './short-names.ts'

/** Most conditions, pairs and models named in a line. */
const MAX_CONDITIONS = 4
const MAX_PAIRS = 4
const MAX_MODELS = 6

/** Calls of a run's plan. */
export interface PlanProgress {
  readonly calls: number
  /** Calls without a response. */
  readonly open: number
}

interface HeadlineInput {
  readonly analyses: readonly ReportedAnalysis[]
  readonly verdict: RunVerdict | null
  readonly parser: string
  readonly skipped: readonly SkippedAnalysis[]
  readonly plan: PlanProgress | undefined
  /** Tasks whose answers come from whoever wrote the questions. */
  readonly asGiven: readonly string[]
}

/** About ten lines that can be quoted, from the tables: verdicts, models, accuracies, groups, parsing, errors, cost. */
export function headline({ analyses: all, verdict, parser, skipped, plan, asGiven }: HeadlineInput): readonly string[] {
  const analyses = withShortNames(all)
  const tableOf = (id: string) => analyses.find((one) => one.id === id)?.tables[0]
  const rowsOf = (id: string): readonly Row[] => tableOf(id)?.rows ?? []
  const accuracy = rowsOf('core/accuracy')
  const metrics = tableOf('core/measures')
  const estimates = [...estimatesOf(accuracy, 'accuracy', 'responses'), ...metricEstimates(metrics)]
  const conditions = byCondition(accuracy)
  return [
    ...runVerdictLines(verdict),
    ...verdictLines(rowsOf('core/paired'), accuracy, verdict?.pair ?? null),
    ...modelsLine(accuracy, parser),
    ...planLine(plan),
    ...templatesLine(accuracy),
    ...(asGiven.length === 0 ? [] : [`Answers as given, nothing proves them: ${asGiven.join(', ')}.`]),
    ...(metrics === undefined ? [] : [...metricLines(metrics), ...rankingLines(analyses)]),
    ...conditions.slice(0, MAX_CONDITIONS).map(accuracyLine),
    ...(conditions.length > MAX_CONDITIONS
      ? [`${plural(conditions.length - MAX_CONDITIONS, 'more condition')} below.`]
      : []),
    ...analyses.filter(({ id }) => id === 'core/sequential' || id === 'core/adaptive').map(({ title }) => `${title}.`),
    ...thresholdsLine(rowsOf('core/adaptive')),
    ...fewGroupsLine(estimates),
    ...oneGroupLine(estimates),
    ...parserGapLine(accuracy, parser),
    ...errorsLine(accuracy),
    ...costLine(rowsOf('core/usage')),
    ...failedAnalysesLine(skipped),
  ]
}

const distinct = (rows: readonly Row[], key: string): readonly string[] => [
  ...new Set(rows.map((row) => text(row, key))),
]
const share = (value: number): string => value.toFixed(3)
const interval = ({ value, low, high }: Estimate, show: (value: number) => string = share): string =>
  `${show(value)} [${show(low)}, ${show(high)}]`

/** `a, b and 3 more` */
const listed = (all: readonly string[], max: number): string =>
  `${all.slice(0, max).join(', ')}${all.length > max ? ` and ${counted(all.length - max)} more` : ''}`

const byCondition = (rows: readonly Row[]): readonly (readonly Row[])[] => [
  ...Map.groupBy(rows, conditionName).values(),
]

function modelsLine(accuracy: readonly Row[], parser: string): string[] {
  if (accuracy.length === 0) return []
  const responses = total(accuracy, 'planned') - total(accuracy, 'failed')
  const models = distinct(accuracy, 'model')
  const names = models.length <= MAX_MODELS ? `: ${models.join(', ')}` : ''
  const tasks = distinct(accuracy, 'task').join(', ')
  return [`${plural(models.length, 'model')}${names}; ${plural(responses, 'response')} on ${tasks}, ${parser} parser.`]
}

/** Prompts of the reader's own, with the hashes of their texts. */
function templatesLine(accuracy: readonly Row[]): string[] {
  const styles = distinct(accuracy, 'style').filter(isTemplateStyle)
  return styles.length === 0
    ? []
    : [`Asked in a prompt template, named by the SHA-256 of its text: ${listed(styles, MAX_MODELS)}.`]
}

const planLine = (plan: PlanProgress | undefined): readonly string[] =>
  plan === undefined || plan.open === 0
    ? []
    : [`Not finished: ${counted(plan.open)} of ${counted(plan.calls)} planned calls have no response.`]

/** The models of loglikelihood items, and for each condition the first metric. */
function metricLines({ columns, rows }: Table): string[] {
  const metric = columns.find(({ kind }) => kind === 'estimate')
  if (metric === undefined) return []
  const models = distinct(rows, 'model')
  const sets = [...Map.groupBy(rows, (row) => [conditionName(row), text(row, 'kind')].filter(Boolean).join(', '))]
  return [
    `${plural(models.length, 'model')}: ${listed(models, MAX_MODELS)}; ${plural(total(rows, 'n'), 'loglikelihood item')} on ${distinct(rows, 'task').join(', ')}.`,
    ...sets.slice(0, MAX_CONDITIONS).map(([name, own]) => {
      const values = own.flatMap((row) => {
        const found = row[metric.key]
        return isEstimate(found) ? [`${text(row, 'model')} ${interval(found, (x) => x.toPrecision(4))}`] : []
      })
      return `${name}: ${metric.label.toLowerCase()} (mean) of ${listed(values, MAX_MODELS)}.`
    }),
  ]
}

/** Most rankings that are quoted. */
const MAX_RANKINGS = 2

/** Rankings of tasks by the measure of their paper. */
function rankingLines(analyses: readonly ReportedAnalysis[]): string[] {
  return analyses.flatMap(({ tables: [first] }) => {
    const { columns = [], rows = [] } = first ?? {}
    const rank = columns.findIndex(({ key, kind }) => key === 'rank' && kind === 'number')
    const measure = columns.find(({ kind }) => kind === 'estimate')
    if (rank < 0 || measure === undefined || !columns.some(({ key }) => key === 'model')) return []
    const of = columns.slice(0, rank)
    const sets = [
      ...Map.groupBy(rows, (row) => of.map(({ key, label }) => `${label.toLowerCase()} ${text(row, key)}`).join(', ')),
    ]
    const lines = sets.slice(0, MAX_RANKINGS).map(([name, own]) => {
      const values = own.map((row) => {
        const found = row[measure.key]
        return `${text(row, 'model')} ${isEstimate(found) ? interval(found) : 'not known'}`
      })
      return `${measure.label} (${name}): ${listed(values, MAX_MODELS)}.`
    })
    const more = sets.length - MAX_RANKINGS
    return more > 0 ? [...lines, `${plural(more, 'more ranking')} below.`] : lines
  })
}

/** The accuracies of one condition, best first. */
function accuracyLine(rows: readonly Row[]): string {
  const found = rows
    .flatMap((row) =>
      isEstimate(row['accuracy'])
        ? [{ model: text(row, 'model'), accuracy: row['accuracy'], parsed: parsedBeside(row) }]
        : [],
    )
    .sort((a, b) => b.accuracy.value - a.accuracy.value)
  const name = rows[0] === undefined ? '' : conditionName(rows[0])
  if (found.length === 0) return `${name}: no graded response.`
  const sameN = found.every(({ accuracy }) => accuracy.n === found[0]?.accuracy.n)
  const values = found.map(
    ({ model, accuracy, parsed }) =>
      `${model} ${interval(accuracy)}${sameN ? '' : ` (n = ${counted(accuracy.n)})`}${parsed}`,
  )
  return `${name}: ${listed(values, MAX_MODELS)}${baselinesBeside(rows)}.`
}

/** A gap between accuracy and accuracy of parsed responses that is said. */
export const PARSED_GAP = 0.02

const parsedBeside = ({ accuracy, parsed }: Row): string =>
  isEstimate(accuracy) && isEstimate(parsed) && Math.abs(parsed.value - accuracy.value) > PARSED_GAP
    ? ` (${share(parsed.value)} of the parsed)`
    : ''

/** Chance and the best heuristic, which are those of the condition. */
function baselinesBeside([row]: readonly Row[]): string {
  const found = [
    ['chance', row?.['chance']],
    ['best heuristic', row?.['heuristic']],
  ].flatMap(([name, value]) => (typeof value === 'number' ? [`${name} ${value.toFixed(2)}`] : []))
  return found.length === 0 ? '' : `; ${found.join(', ')}`
}

/** The thresholds of an adaptive run. */
function thresholdsLine(rows: readonly Row[]): string[] {
  const found = rows.flatMap((row) =>
    isEstimate(row['x50']) ? [`${text(row, 'model')} ${interval(row['x50'], (x) => x.toFixed(1))}`] : [],
  )
  return found.length === 0 ? [] : [`50 % thresholds: ${found.slice(0, MAX_MODELS).join(', ')}.`]
}

/** The verdict of the run, where models are compared. */
const runVerdictLines = (verdict: RunVerdict | null): readonly string[] =>
  verdict?.pair == null ? [] : [verdict.title, verdict.detail].filter((line) => line !== '')

/**
 * The verdicts, significant ones first, the rest as a count; each with its condition where there are several. Where
 * there is one, the leading pair is omitted, because the verdict of the run already gives it.
 */
function verdictLines(pairs: readonly Row[], accuracy: readonly Row[], lead: RunVerdict['pair']): string[] {
  const possible = byCondition(accuracy).reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0)
  const lost = Math.max(0, possible - pairs.length)
  if (pairs.length === 0) return []
  const several = byCondition(pairs).length > 1
  const significant = pairs.filter(isSignificant)
  const isLead = (row: Row): boolean =>
    !several && lead !== null && [text(row, 'a'), text(row, 'b')].every((model) => [lead.a, lead.b].includes(model))
  const ordered = [...significant.toSorted(byP), ...pairs.filter((row) => !isSignificant(row)).toSorted(byP)].filter(
    (row) => !isLead(row),
  )
  const shown = ordered.slice(0, MAX_PAIRS)
  const lines = shown.map((row) => `${several ? `${conditionName(row)}: ` : ''}${text(row, 'verdict')}`)
  if (pairs.length === 1 && lost === 0) return lines
  const beside = lost === 0 ? '' : `; ${counted(lost)} more share too few items`
  const more = ordered.length - shown.length
  return [
    ...lines,
    `Significant: ${counted(significant.length)} of ${plural(pairs.length, 'pair')} of models${several ? ' (each condition apart)' : ''} (Holm ${ALPHA}${beside})${more === 0 ? '' : `; ${plural(more, 'more verdict')} below`}.`,
  ]
}

const byP = (a: Row, b: Row): number => number(a, 'p') - number(b, 'p')

/** With twelve groups intervals are about as wide as with many. */
const MANY_GROUPS = 12

/** The first estimate of each condition: values and groups that it is from. */
interface GroupCount {
  readonly name: string
  readonly what: 'responses' | 'loglikelihood items'
  readonly n: number
  readonly groups: number
}

const estimatesOf = (rows: readonly Row[], key: string, what: GroupCount['what']): readonly GroupCount[] =>
  byCondition(rows).flatMap(([row]) => {
    const estimate = row?.[key]
    if (row === undefined || !isEstimate(estimate)) return []
    const { n, groups = n } = estimate
    return [{ name: conditionName(row), what, n, groups }]
  })

function metricEstimates(metrics: Table | undefined): readonly GroupCount[] {
  const key = metrics?.columns.find(({ kind }) => kind === 'estimate')?.key
  return metrics === undefined || key === undefined ? [] : estimatesOf(metrics.rows, key, 'loglikelihood items')
}

function fewGroupsLine(estimates: readonly GroupCount[]): string[] {
  const found = estimates
    .filter(({ n, groups }) => groups > 1 && groups < MANY_GROUPS && groups < n)
    .map(({ name, groups }) => `${groups} on ${name}`)
  if (found.length === 0) return []
  return [
    `Few independent groups (such as grammars): ${listed(found, MAX_CONDITIONS)}. CIs are wide and rest partly on an assumption about how groups differ. Add groups, not items per group.`,
  ]
}

function oneGroupLine(estimates: readonly GroupCount[]): string[] {
  const found = estimates.filter(({ n, groups }) => groups === 1 && n > 1).map(({ name }) => name)
  if (found.length === 0) return []
  return [
    `One group: all items of ${listed(found, MAX_CONDITIONS)} share a group, such as a grammar. How groups differ is assumed, not seen.`,
  ]
}

/** The largest gap between the lenient and the reported parser. */
function parserGapLine(accuracy: readonly Row[], parser: string): string[] {
  const gaps = accuracy.flatMap((row) =>
    isEstimate(row['accuracy']) && typeof row['lenient'] === 'number'
      ? [{ model: text(row, 'model'), gap: row['lenient'] - row['accuracy'].value }]
      : [],
  )
  const [largest] = gaps.sort((a, b) => b.gap - a.gap)
  if (largest === undefined || largest.gap < 0.005 || parser === 'lenient') return []
  return [`Parsing changes accuracy by up to ${share(largest.gap)} (${largest.model}: lenient − ${parser}).`]
}

function errorsLine(accuracy: readonly Row[]): string[] {
  if (accuracy.length === 0) return []
  const counts = (['unparsed', 'truncated', 'refused'] as const).flatMap((key) =>
    total(accuracy, key) > 0 ? [`${counted(total(accuracy, key))} ${key}`] : [],
  )
  const errors = total(accuracy, 'failed')
  if (counts.length === 0 && errors === 0) return ['All responses were parsed.']
  const parts = [
    ...(counts.length > 0 ? [`${counts.join(', ')} (counted as incorrect)`] : []),
    ...(errors > 0 ? [`${plural(errors, 'API error')} (excluded)`] : []),
  ]
  return [`${plural(total(accuracy, 'planned'), 'call')}: ${parts.join(', ')}.`]
}

/** Money where any was paid, and the models of unknown cost; else tokens. */
function costLine(usage: readonly Row[]): string[] {
  const usd = total(usage, 'usd')
  const tokens = total(usage, 'outputTotal')
  if (usd === 0) return tokens > 0 ? [`${plural(tokens, 'output token')}.`] : []
  const unpriced = usage.filter((row) => typeof row['usd'] !== 'number')
  const beside = unpriced.length === 0 ? '' : ` (cost of ${distinct(unpriced, 'model').join(', ')} unknown)`
  return [`Cost: $${usd < 0.01 ? usd.toPrecision(2) : usd.toFixed(2)}${beside}.`]
}

function failedAnalysesLine(skipped: readonly SkippedAnalysis[]): string[] {
  const failed = skipped.filter(({ cause }) => cause === 'error')
  return failed.length === 0 ? [] : [`Failed analyses: ${failed.map(({ id }) => id).join(', ')}.`]
}
