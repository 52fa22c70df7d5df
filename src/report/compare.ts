import { type Estimate, everyTwo, type Frame, memoizeWeak, modelShortNames, type Task } from '../core/index.ts'
import {
  anytimePath,
  clusterCodes,
  clusteredMeanEstimate,
  clustering,
  clusterSums,
  correctness,
  holm,
  inOneGroup,
  moments,
  peoplesScores,
  type RandomEffects,
  randomEffects,
  scores,
} from '../libraries/statistics/index.ts'
import { factors, textual } from './analyses/features.ts'
import { kindFeature, METRIC } from './analyses/metrics.ts'
import {
  groupNounOf,
  type JudgedPair,
  type Judging,
  judgePair,
  type MeasuredPair,
  measurePair,
  type PairEffect,
} from './pair-effect.ts'
import {
  type ComparedBy,
  type ComparisonSide,
  clustersOf,
  joined,
  type Pair,
  placesOf,
  rowsOf,
  type SharedPairs,
  sharedPairs,
  type Values,
} from './pairs.ts'
import type { ReportFrames } from './report.ts'
import { verdictOfTasks } from './run-verdict.ts'
import type { Verdict } from './verdict.ts'

/** E-values of the differences of groups: valid at any time, however often they are read. */
export interface SequentialEvidence {
  /** Groups, in the order of the run. */
  readonly units: number
  /** `item`: all items are of one group. */
  readonly unit: 'group' | 'item'
  /** E-values of "A is better" and of "B is better": 2 / 0.05 = 40 or more shows it with an error of at most 5 %. */
  readonly a: number
  readonly b: number
  /** The same after the first units, at most 100 places; the last is after all. */
  readonly path: readonly { readonly units: number; readonly a: number; readonly b: number }[]
}

export type TaskEffect = JudgedPair & { readonly task: string }

/** The effect at one level of a feature. */
export type LevelEffect = PairEffect & {
  readonly task: string
  /** The label of the feature, and its name in the rows. */
  readonly feature: string
  readonly name: string
  readonly level: string
  /** p, Holm-adjusted over all levels of all features. */
  readonly holm: number
}

/** Is B at most `margin` worse than A? */
export interface Margin {
  readonly margin: number
  readonly state: 'non-inferior' | 'inferior' | 'inconclusive'
  readonly text: string
}

/** Two sides by accuracy on shared items, A - B: overall, by task and by feature. */
export interface Comparison {
  readonly schema: 'touchstone/compare/1'
  readonly metric: 'accuracy'
  readonly a: string
  readonly b: string
  /** As the verdict names them. */
  readonly short: { readonly a: string; readonly b: string }
  readonly parser: string
  /** As the report of a run of the two has it. */
  readonly verdict: Verdict
  /** All items together. */
  readonly overall: JudgedPair
  /** What is counted, here and at every task and level: items, or pairs of responses, one per style and model of an item. */
  readonly unit: SharedPairs['unit']
  /** Places of one side only. */
  readonly unpaired: SharedPairs['unpaired']
  readonly sequential: SequentialEvidence
  readonly tasks: readonly TaskEffect[]
  /** A - B over tasks (random effects), where two or more have a standard error; `overall` pools items instead. */
  readonly acrossTasks: RandomEffects | null
  /** The levels with the smallest p first; with `levels: 'all'` every level in the order of tasks and features. */
  readonly byFeature: readonly LevelEffect[]
  /** Levels that Holm adjusts for. */
  readonly comparisons: number
  /** Non-inferiority of B; null without a margin. */
  readonly margin: Margin | null
}

/** Fewest shared places of a level that is compared. */
export const MIN_SHARED = 20
const MAX_SHOWN_LEVELS = 10

/** What is compared, and how. */
export interface CompareOptions {
  /** Default: `strict`. */
  readonly parser?: string
  /** How much worse B may be. */
  readonly margin?: number
  /** The levels with the smallest p, or all. Default: the former. */
  readonly levels?: 'telling' | 'all'
  /** Confidence of the intervals. Default: 0.95. */
  readonly confidence?: number
  /** Judges this comparison as the only one that was planned. Default: p is adjusted by Holm over all pairs of the run. */
  readonly unadjusted?: boolean
}

/**
 * Two runs, models or styles on shared items: A - B with an interval clustered by group, and where it is largest. null where
 * they share too little for an interval.
 */
export function compareSides(
  a: ComparisonSide,
  b: ComparisonSide,
  by: ComparedBy,
  tasks: readonly Task[],
  options: CompareOptions = {},
): Comparison | null {
  const { parser = 'strict', margin, levels: wanted = 'telling', confidence } = options
  const [left, right] = [a, b].map(({ frames }) => frames.frame(parser))
  if (left == null || right == null) return null
  const { pairs: all, unpaired, unit } = sharedPairs(left, a, right, b, by, correctnessOf)
  const measured = measure(all, left, confidence)
  if (measured === null) return null
  const byTask = tasks.flatMap((task) => {
    const [mine, theirs] = [a, b].map(({ frames }) => frames.ofTask(task.name).frame(parser))
    if (mine == null || theirs == null) return []
    const { pairs } = sharedPairs(mine, a, theirs, b, by, correctnessOf)
    const own = measure(pairs, mine, confidence)
    return own === null ? [] : [{ task, own, levels: levelsOf(task, mine, pairs, confidence) }]
  })
  const short = shortNames(a, b, by, left, right)
  const measuredTasks = byTask.map(({ task, own }) => ({ name: task.name, p: own.effect.p }))
  const adjusted = familiesOf(a, b, by, parser, tasks, measuredTasks, options)
  const found = byTask.flatMap(({ levels }) => levels)
  const holms = holm(found.map(({ p }) => p))
  const levels = found.map((one, i) => ({ ...one, holm: holms[i] as number }))
  const acrossTasks = randomEffects(
    byTask.map(({ own }) => own.effectSize),
    { bounds: [-1, 1], ...(confidence === undefined ? {} : { confidence }) },
  )
  const overall = judgePair(measured, {
    ...short,
    ...adjusted(null, measured.effect.p),
    groupNoun: groupNounOf(byTask.map(({ task }) => task)),
  })
  const ofTasks = byTask.map(({ task, own }) => {
    const judged = judgePair(own, { ...short, ...adjusted(task.name, own.effect.p), groupNoun: groupNounOf([task]) })
    return { task: task.name, ...judged }
  })
  return {
    schema: 'touchstone/compare/1',
    metric: 'accuracy',
    a: a.name,
    b: b.name,
    short,
    parser,
    verdict: ofTasks.length < 2 ? overall.verdict : verdictOfTasks(short, ofTasks, acrossTasks?.effect ?? null),
    overall,
    unit,
    unpaired,
    sequential: evidenceOf(all, left),
    tasks: ofTasks,
    acrossTasks,
    byFeature: wanted === 'all' ? levels : levels.toSorted((x, y) => x.p - y.p).slice(0, MAX_SHOWN_LEVELS),
    comparisons: levels.length,
    margin: margin === undefined ? null : nonInferiority(overall.difference, margin, short),
  }
}

/** How the sides are named in a verdict. */
function shortNames(a: ComparisonSide, b: ComparisonSide, by: ComparedBy, left: Frame, right: Frame) {
  if (by !== 'model' || a.model === undefined || b.model === undefined || a.model === b.model)
    return { a: a.name, b: b.name }
  const names = modelShortNames([left, right].flatMap((frame) => frame.category('model').levels))
  return { a: names.get(a.model) ?? a.model, b: names.get(b.model) ?? b.model }
}

function nonInferiority(
  { low, high }: Estimate,
  margin: number,
  { a, b }: { readonly a: string; readonly b: string },
): Margin {
  const limit = `(limit ${margin})`
  if (high < margin)
    return {
      margin,
      state: 'non-inferior',
      text: `${b} is non-inferior to ${a}: at most ${Math.max(0, high).toFixed(3)} worse ${limit}.`,
    }
  if (low > margin)
    return { margin, state: 'inferior', text: `${b} is inferior to ${a}: at least ${low.toFixed(3)} worse ${limit}.` }
  return { margin, state: 'inconclusive', text: `Not shown: ${b} may be up to ${high.toFixed(3)} worse ${limit}.` }
}

/** p of a pair, adjusted by Holm over all pairs of the run. */
type Adjusted = (task: string | null, p: number) => Pick<Judging, 'holm' | 'pairs' | 'unadjusted'>

/**
 * The families of comparisons that a pair belongs to: of all items, every two models (or styles) of the run; of a task, the same on every
 * task. A style that the sides are restricted to adds the same pairs in other styles (and a model those of other models), so that a family
 * is that of the tables of the report. Two runs are one comparison, on each task.
 */
function familiesOf(
  a: ComparisonSide,
  b: ComparisonSide,
  by: ComparedBy,
  parser: string,
  tasks: readonly Task[],
  measured: readonly { readonly name: string; readonly p: number }[],
  { unadjusted = false }: CompareOptions,
): Adjusted {
  const [name, other] = by === 'model' ? [a.model, b.model] : [a.style, b.style]
  if (by === 'run' || a.frames !== b.frames || name === undefined || other === undefined) {
    const adjusted = holm(measured.map(({ p }) => p))
    return (task, p) => {
      const at = measured.findIndex((one) => one.name === task)
      if (at < 0 || unadjusted) return { holm: p, pairs: 1, unadjusted: at >= 0 && measured.length > 1 }
      return { holm: adjusted[at] ?? p, pairs: measured.length }
    }
  }
  const key = [name, other].sort().join('\n')
  const context = (by === 'model' ? a.style : a.model) ?? null
  const familyOn = (frames: readonly ReportFrames[]) => {
    const found = frames.flatMap((one, at) => {
      const frame = one.frame(parser)
      return frame === null ? [] : pairsOfRun(frame, by, context !== null).map((pair) => ({ ...pair, at }))
    })
    const adjusted = holm(found.map(({ p }) => p))
    return found.map((pair, i) => ({ ...pair, holm: adjusted[i] as number }))
  }
  const whole = familyOn([a.frames])
  const present = tasks.filter((task) => a.frames.ofTask(task.name).frame(parser) !== null)
  const ofTasks = present.length < 2 ? whole : familyOn(present.map((task) => a.frames.ofTask(task.name)))
  return (task, p) => {
    const family = task === null ? whole : ofTasks
    const at = task === null || present.length < 2 ? 0 : present.findIndex((one) => one.name === task)
    const own = family.find((one) => one.key === key && one.context === context && one.at === at)
    if (unadjusted) return { holm: p, pairs: 1, unadjusted: family.length > 1 }
    return { holm: own?.holm ?? p, pairs: Math.max(1, family.length) }
  }
}

interface PairOfRun {
  readonly key: string
  /** The style of two models, the model of two styles; null: all. */
  readonly context: string | null
  readonly p: number
}

/** p of every two models, or styles, of some rows. */
function pairsOfRun(frame: Frame, by: ComparedBy, inContexts: boolean): readonly PairOfRun[] {
  const known = pairsInFrame(frame)
  const asked = `${by} ${inContexts}`
  const found = known.get(asked) ?? everyPair(frame, by, inContexts)
  known.set(asked, found)
  return found
}

const pairsInFrame: (frame: Frame) => Map<string, readonly PairOfRun[]> = memoizeWeak(() => new Map())

function everyPair(frame: Frame, by: ComparedBy, inContexts: boolean): readonly PairOfRun[] {
  const [axis, across] = by === 'model' ? (['model', 'style'] as const) : (['style', 'model'] as const)
  const contexts = inContexts ? frame.category(across).levels : [null]
  return contexts.flatMap((context) => {
    const sides = frame.category(axis).levels.map((name) => ({
      name,
      places: placesOf(frame, { [axis]: name, ...(context === null ? {} : { [across]: context }) }, by, correctnessOf),
    }))
    return everyTwo(sides).flatMap(([a, b]) => {
      const pairs = joined(a.places, b.places)
      const measured = measure(pairs, frame)
      return measured === null ? [] : [{ key: [a.name, b.name].sort().join('\n'), context, p: measured.effect.p }]
    })
  })
}

const correctnessOf: Values = (frame) => correctness(scores(frame))

/** Most places in the path of e-values. */
const MAX_PLACES = 100

function evidenceOf(pairs: readonly Pair[], frame: Frame): SequentialEvidence {
  const groups = clustering(clustersOf(pairs, frame))
  const sums = clusterSums(
    pairs.map(({ a, b }) => a - b),
    groups,
  )
  const { above, below } = anytimePath(sums.map((sum, group) => sum / (groups.sizes[group] as number)))
  const units = sums.length
  const places = Math.min(MAX_PLACES, units)
  const ends = Array.from({ length: places }, (_, k) => Math.ceil(((k + 1) * units) / places))
  const at = (end: number) => ({ units: end, a: above[end - 1] as number, b: below[end - 1] as number })
  return { ...at(units), unit: inOneGroup(frame, rowsOf(pairs)) ? 'item' : 'group', path: ends.map(at) }
}

function measure(pairs: readonly Pair[], frame: Frame, confidence?: number): MeasuredPair | null {
  const [first, second] = [Float64Array.from(pairs, ({ a }) => a), Float64Array.from(pairs, ({ b }) => b)]
  const rows = rowsOf(pairs)
  const oneGroup = inOneGroup(frame, rows)
  const truth =
    peoplesScores(frame, rows) === null
      ? null
      : { first: pairs.map(({ truthA }) => truthA), second: pairs.map(({ truthB }) => truthB) }
  return measurePair(first, second, clusterCodes(frame, rows, first, second), { oneGroup, confidence, truth })
}

function levelsOf(
  task: Task,
  frame: Frame,
  pairs: readonly Pair[],
  confidence: number | undefined,
): Omit<LevelEffect, 'holm'>[] {
  const config = { name: 'config', label: 'config', ...textual(frame, 'config') }
  const all = config.levels.length < 2 ? factors(task, frame) : [config, ...factors(task, frame)]
  return all.flatMap(({ name, label, levels, codes }) => {
    const byLevel = Map.groupBy(pairs, ({ row }) => codes[row] as number)
    return levels.flatMap((level, code) => {
      const inside = byLevel.get(code) ?? []
      const measured = inside.length < MIN_SHARED ? null : measure(inside, frame, confidence)
      return measured === null
        ? []
        : [{ task: task.name, feature: label, name, level: level.label, ...measured.effect }]
    })
  })
}

/** A and B on the loglikelihood items of one kind that both have. */
export interface MetricEffect {
  readonly task: string
  /** The feature that names the kind of an item; null where the task has none. */
  readonly kind: string | null
  readonly strings: number
  readonly meanA: number
  readonly meanB: number
  /** A - B, with an interval clustered by group. */
  readonly difference: Estimate
  /** Which is higher; what is better depends on the metric. */
  readonly verdict: 'A is higher' | 'B is higher' | 'no clear difference'
}

/** Two sides by a metric of loglikelihood items, which have no accuracy. */
export interface MetricComparison {
  readonly schema: 'touchstone/compare/1'
  readonly a: string
  readonly b: string
  readonly metric: string
  readonly effects: readonly MetricEffect[]
}

/** The names of the metrics among the columns of rows. */
export const metricsIn = (columns: readonly string[]): readonly string[] =>
  columns.filter((name) => name.startsWith(METRIC)).map((name) => name.slice(METRIC.length))

/**
 * A - B of a metric, in its unit, for each task and kind of item. `effects` is empty where no kind has two groups that both sides
 * have.
 */
export function compareMetric(
  a: ComparisonSide,
  b: ComparisonSide,
  by: ComparedBy,
  tasks: readonly Task[],
  metric: string,
): MetricComparison {
  const column = `${METRIC}${metric}`
  const effects = tasks.flatMap((task) => {
    const [left, right] = [a, b].map(({ frames }) => frames.ofTask(task.name).frame('strict'))
    if (left == null || right == null || !left.has(column) || !right.has(column)) return []
    const { pairs } = sharedPairs(left, a, right, b, by, (frame) => frame.number(column))
    return [...Map.groupBy(pairs, kindIn(left, kindFeature([task])))].flatMap(([kind, own]) =>
      metricEffect(task.name, kind, own, left),
    )
  })
  return { schema: 'touchstone/compare/1', a: a.name, b: b.name, metric, effects }
}

function kindIn(frame: Frame, feature: string | null): (pair: Pair) => string | null {
  const column = `feature_${feature}`
  if (feature === null || !frame.has(column)) return () => null
  const { codes, levels } = frame.category(column)
  return ({ row }) => levels[codes[row] as number] ?? null
}

function metricEffect(task: string, kind: string | null, pairs: readonly Pair[], frame: Frame): MetricEffect[] {
  const difference = clusteredMeanEstimate(
    pairs.map((pair) => pair.a - pair.b),
    clustersOf(pairs, frame),
  )
  if (difference === null) return []
  return [
    {
      task,
      kind,
      strings: pairs.length,
      meanA: moments(pairs.map((pair) => pair.a)).mean,
      meanB: moments(pairs.map((pair) => pair.b)).mean,
      difference,
      verdict: difference.low > 0 ? 'A is higher' : difference.high < 0 ? 'B is higher' : 'no clear difference',
    },
  ]
}
