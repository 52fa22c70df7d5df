import { type Estimate, modelShortNames, points } from '../core/index.ts'
import { counted, isEstimate } from './formats/values.ts'
import { CONDITION_KEYS, isSignificant, type Row, text, total } from './rows.ts'
import { inTwo, roundedCount, type Verdict } from './verdict.ts'

/** The difference of the two leading models on one condition. */
export interface VerdictLine {
  readonly condition: string
  readonly task: string
  /** A - B. */
  readonly difference: Estimate
  /** What would settle it; empty where it is settled. */
  readonly settle: string
}

/** Which model of a run is better at what, as sentences. */
export interface RunVerdict {
  readonly kind: 'verdict' | 'so-far' | 'none'
  readonly title: string
  readonly detail: string
  /** Short names of the two leading models; null: fewer than two were compared. */
  readonly pair: { readonly a: string; readonly b: string } | null
  readonly better: readonly VerdictLine[]
  readonly worse: readonly VerdictLine[]
  readonly unclear: readonly VerdictLine[]
}

export interface RunVerdictInput {
  /** Rows of the tables of accuracy, pairs, pairs across tasks and usage. */
  readonly accuracy: readonly Row[]
  readonly paired: readonly Row[]
  readonly acrossTasks: readonly Row[]
  readonly usage: readonly Row[]
  /** What the groups of each task are called. */
  readonly tasks: readonly { readonly name: string; readonly groupNoun: string }[]
  readonly finished: boolean
}

/** From this many groups on, more items settle a difference; below, only more groups do. */
const ENOUGH_GROUPS = 12

/** The verdict of a run: the two models that win most comparisons, by mean accuracy where they tie. */
export function runVerdict({ accuracy, paired, acrossTasks, usage, tasks, finished }: RunVerdictInput): RunVerdict {
  const none = { pair: null, better: [], worse: [], unclear: [] } as const
  const [planned, failed] = [total(accuracy, 'planned'), total(accuracy, 'failed')]
  if (failed > planned / 2)
    return { ...none, kind: 'none', title: `No verdict: ${failed} of ${planned} calls failed.`, detail: '' }
  const short = modelShortNames(accuracy.map((row) => text(row, 'model')))
  const name = (model: string): string => short.get(model) ?? model
  const [a, b, ...others] = leadersFirst(rankedModels(accuracy, paired), paired)
  if (a === undefined) return { ...none, kind: 'none', title: 'No verdict: no response is graded yet.', detail: '' }
  if (b === undefined) return { ...none, kind: 'verdict', title: aloneTitle(accuracy, name(a)), detail: '' }
  if (paired.length === 0)
    return { ...none, kind: 'none', title: 'No verdict: this report compares no models.', detail: '' }
  const lines = pairLines(paired, a, b).map((line) => ({ ...line, settle: settles(line, usage, tasks, [a, b]) }))
  const better = lines.filter((line) => line.significant && line.difference.value > 0).sort(byDifference)
  const worse = lines.filter((line) => line.significant && line.difference.value < 0).sort(byDifference)
  const unclear = lines.filter((line) => !line.significant)
  const pair = { a: name(a), b: name(b) }
  const found = { pair, better, worse, unclear }
  if (!finished) {
    const ahead = lines.filter(({ difference }) => difference.value > 0).length
    const title = `So far ${pair.a} is ahead on ${ahead} of ${onConditions(lines)}.`
    return { kind: 'so-far', title, detail: 'The verdict follows when the run has finished.', ...found }
  }
  const counts = { better: better.length, worse: worse.length, unclear: unclear.length }
  const [only] = lines
  const { title, detail } =
    lines.length === 1 && only !== undefined
      ? inTwo(only.text)
      : {
          title: pairTitle(pair, counts, lines, others.length > 0),
          detail: pairDetail(lines, generalOf(acrossTasks, a, b)),
        }
  return {
    kind: 'verdict',
    title,
    detail: sentences(detail, overOthers(paired, a, others.slice(0, 4), name)),
    ...found,
  }
}

const byDifference = (x: VerdictLine, y: VerdictLine): number =>
  Math.abs(y.difference.value) - Math.abs(x.difference.value)

/** Models by significant wins, then by mean accuracy. */
function rankedModels(accuracy: readonly Row[], paired: readonly Row[]): readonly string[] {
  const wins = Map.groupBy(paired.filter(isSignificant), winnerOf)
  const means = [...Map.groupBy(accuracy, (row) => text(row, 'model'))].flatMap(([model, rows]) => {
    const values = rows.flatMap(({ accuracy: one }) => (isEstimate(one) ? [one.value] : []))
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    return values.length === 0 ? [] : [{ model, mean, wins: wins.get(model)?.length ?? 0 }]
  })
  return means.sort((x, y) => y.wins - x.wins || y.mean - x.mean).map(({ model }) => model)
}

/** Does the second side come first in a verdict? */
const isTurned = (better: number, worse: number, lines: readonly Pick<VerdictLine, 'difference'>[]): boolean =>
  worse > better || (worse === better && lines.reduce((sum, { difference }) => sum + difference.value, 0) < 0)

/** Of the two that lead, who is better than the other on more conditions comes first; on as many, who is better in the mean. */
function leadersFirst(ranked: readonly string[], paired: readonly Row[]): readonly string[] {
  const [a, b, ...others] = ranked
  if (a === undefined || b === undefined) return ranked
  const lines = pairLines(paired, a, b)
  const settled = lines.filter(({ significant }) => significant)
  const ahead = settled.filter(({ difference }) => difference.value > 0).length
  const isBehind = isTurned(ahead, settled.length - ahead, lines)
  return isBehind ? [b, a, ...others] : ranked
}

const winnerOf = (row: Row): string =>
  text(row, isEstimate(row['difference']) && row['difference'].value < 0 ? 'b' : 'a')

interface PairLine extends Omit<VerdictLine, 'settle'> {
  /** The verdict of this pair alone. */
  readonly text: string
  readonly significant: boolean
  /** After Holm. */
  readonly p: number | null
  readonly needed: number | null
}

/** The rows of two models with A - B. */
function pairLines(paired: readonly Row[], a: string, b: string): readonly PairLine[] {
  const own = paired.filter((row) => [a, b].includes(text(row, 'a')) && [a, b].includes(text(row, 'b')))
  const times = Map.groupBy(own, (row) => text(row, 'task'))
  return own.flatMap((row) => {
    const { difference, itemsNeeded } = row
    if (!isEstimate(difference)) return []
    return [
      {
        // A task that was asked in one way needs no more than its name.
        condition: (times.get(text(row, 'task'))?.length === 1 ? ['task'] : CONDITION_KEYS)
          .map((key) => text(row, key))
          .filter(Boolean)
          .join(', '),
        task: text(row, 'task'),
        difference: text(row, 'a') === a ? difference : reversed(difference),
        significant: isSignificant(row),
        p: typeof row['holm'] === 'number' ? row['holm'] : null,
        text: text(row, 'verdict'),
        needed: typeof itemsNeeded === 'number' ? itemsNeeded : null,
      },
    ]
  })
}

const reversed = ({ value, low, high, ...rest }: Estimate): Estimate => ({
  ...rest,
  value: 0 - value,
  low: 0 - high,
  high: 0 - low,
})

/** Groups where there are few, else items for 80 % power with their price at the mean of this run. */
function settles(
  { difference, significant, p, needed, task }: PairLine,
  usage: readonly Row[],
  tasks: RunVerdictInput['tasks'],
  models: readonly string[],
): string {
  if (significant) return ''
  const { groups = difference.n, n } = difference
  const noun = tasks.find(({ name }) => name === task)?.groupNoun ?? 'groups'
  if (groups < ENOUGH_GROUPS && groups < n) return `${ENOUGH_GROUPS - groups} more ${noun} (has ${groups}), not items`
  if (difference.value === 0 && difference.low === 0 && difference.high === 0) return 'equal on every item'
  if (needed === null || needed === 0) return 'no estimate of the items needed'
  const rows = usage.filter((row) => text(row, 'task') === task && models.includes(text(row, 'model')))
  const price = (total(rows, 'usd') / n) * needed
  const words = `about ${roundedCount(needed)} more ${needed === 1 ? 'item' : 'items'}`
  const cost = price > 0 ? `, $${price < 100 ? price.toFixed(2) : counted(Math.round(price))}` : ''
  // The interval is of this condition alone, the verdict allows for all.
  const excludesZero = difference.low > 0 || difference.high < 0
  return words + cost + (excludesZero && p !== null ? `; Holm p ${p.toPrecision(2)}` : '')
}

const onConditions = (lines: readonly Pick<VerdictLine, 'task'>[]): string => {
  if (lines.length === 1) return lines[0]?.task ?? ''
  const tasks = new Set(lines.map(({ task }) => task)).size === lines.length
  return `${lines.length} ${tasks ? 'tasks' : 'conditions'}`
}

/** Which of two is better on how many conditions. @param others - do they lead others? */
function pairTitle(
  { a, b }: { readonly a: string; readonly b: string },
  { better, worse, unclear }: { readonly better: number; readonly worse: number; readonly unclear: number },
  lines: readonly Pick<VerdictLine, 'task'>[],
  others = false,
): string {
  const all = onConditions(lines)
  if (better === 0 && worse === 0)
    return others
      ? `${a} and ${b} lead; no clear difference between them on any of ${all}.`
      : `No clear difference between ${a} and ${b} on any of ${all}.`
  const parts = [
    `${a} is better than ${b} on ${better} of ${all}`,
    ...(worse > 0 ? [`${b} on ${worse}`] : []),
    ...(unclear > 0 ? [`no clear difference on ${unclear}`] : []),
  ]
  return `${parts.join('; ')}.`
}

/** One model has nobody to be better than. */
function aloneTitle(accuracy: readonly Row[], name: string): string {
  const values = accuracy.flatMap(({ accuracy: one }) => (isEstimate(one) ? [one.value] : []))
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const over = values.length === 1 ? '' : ` (mean over ${values.length} conditions)`
  return `${name} answers ${Math.round(100 * mean)} % of the items correctly${over}.`
}

/** An estimate of one condition. */
export interface OfTask {
  readonly task: string
  readonly difference: Estimate
}

/**
 * The mean of these conditions as they are, each with the standard error of its interval. Conditions of one task may ask the
 * same items (in several styles) or items of the same random draws (in several presets), so their errors add up; errors of
 * different tasks are independent.
 */
export function meanOverConditions(
  conditions: readonly OfTask[],
  [least, most]: readonly [number, number],
): Estimate | null {
  const n = conditions.length
  const [first] = conditions
  if (first === undefined || n === 1) return first?.difference ?? null
  const sum = (list: readonly OfTask[], of: (one: Estimate) => number): number =>
    list.reduce((total, { difference }) => total + of(difference), 0)
  const value = sum(conditions, (one) => one.value) / n
  const errors = [...Map.groupBy(conditions, ({ task }) => task).values()].map((list) =>
    sum(list, ({ low, high }) => (high - low) / (2 * Z)),
  )
  const error = Math.hypot(...errors) / n
  const limit = (at: number): number => Math.max(least, Math.min(most, at))
  const [low, high] = [limit(value - Z * error), limit(value + Z * error)]
  return { value, low, high, n: sum(conditions, (one) => one.n), method: `mean of ${n} conditions, normal 95 %` }
}

/** The 97.5 % quantile of the normal distribution. */
const Z = 1.959964

function meanWords(conditions: readonly OfTask[]): string {
  const mean = meanOverConditions(conditions, [-1, 1])
  if (mean === null || conditions.length < 2) return ''
  return `Mean over these ${conditions.length}: ${points(mean.value)} points (95 % CI ${points(mean.low)} to ${points(mean.high)}).`
}

/** The difference on such tasks in general. */
function generalOf(acrossTasks: readonly Row[], a: string, b: string): Estimate | null {
  const row = acrossTasks.find((one) => [a, b].includes(text(one, 'a')) && [a, b].includes(text(one, 'b')))
  if (row === undefined || !isEstimate(row['difference'])) return null
  return text(row, 'a') === a ? row['difference'] : reversed(row['difference'])
}

const sentences = (...all: readonly string[]): string => all.filter((one) => one !== '').join(' ')

/** The mean over some conditions, and such tasks in general. */
const pairDetail = (conditions: readonly OfTask[], general: Estimate | null): string =>
  sentences(
    meanWords(conditions),
    general === null ? '' : `Such tasks in general: ${points(general.low)} to ${points(general.high)}.`,
  )

/** A judged pair on one task. */
interface TaskVerdict extends OfTask {
  readonly verdict: Verdict
}

/** The verdict of two sides on several tasks, as the report of a run of these two has it, whichever comes first. */
export function verdictOfTasks(
  { a, b }: { readonly a: string; readonly b: string },
  tasks: readonly TaskVerdict[],
  general: Estimate | null,
): Verdict {
  const wins = (side: 'a' | 'b'): number => tasks.filter(({ verdict }) => verdict.winner === side).length
  const [better, worse] = [wins('a'), wins('b')]
  const unclear = tasks.length - better - worse
  const [kind, ...others] = new Set(tasks.map(({ verdict }) => verdict.kind))
  return {
    kind:
      better > 0 && worse > 0
        ? 'mixed'
        : better + worse > 0
          ? 'better'
          : (others.length === 0 && kind) || 'inconclusive',
    winner: better > 0 === worse > 0 ? null : better > 0 ? 'a' : 'b',
    text: isTurned(better, worse, tasks)
      ? sentences(
          pairTitle({ a: b, b: a }, { better: worse, worse: better, unclear }, tasks),
          pairDetail(
            tasks.map((one) => ({ ...one, difference: reversed(one.difference) })),
            general === null ? null : reversed(general),
          ),
        )
      : sentences(pairTitle({ a, b }, { better, worse, unclear }, tasks), pairDetail(tasks, general)),
  }
}

/** What the leading model is also better than. */
function overOthers(
  paired: readonly Row[],
  a: string,
  others: readonly string[],
  name: (model: string) => string,
): string {
  const beaten = others.flatMap((other) => {
    const lines = pairLines(paired, a, other)
    const better = lines.filter(({ significant, difference }) => significant && difference.value > 0).length
    return better === 0 ? [] : [lines.length === 1 ? name(other) : `${name(other)} on ${better} of ${lines.length}`]
  })
  return beaten.length === 0 ? '' : `${name(a)} is better than ${new Intl.ListFormat('en-GB').format(beaten)}.`
}
