import type { Estimate, Frame, Task } from '../core/index.ts'
import {
  anytimePath,
  clusteredMeanEstimate,
  clustering,
  clusterSums,
  correctness,
  type Effect,
  effectOfDifference,
  holm,
  inOneGroup,
  mcnemar,
  moments,
  type PowerRatio,
  pairedDifference,
  powerRatio,
  type RandomEffects,
  randomEffects,
  scores,
} from '../libraries/statistics/index.ts'
import { asSingleGroup } from './analyses/conditions.ts'
import { factors } from './analyses/features.ts'
import { kindFeature, METRIC } from './analyses/metrics.ts'
import {
  type ComparedBy,
  type ComparisonSide,
  clustersOf,
  type Pair,
  rowsOf,
  type SharedPairs,
  sharedPairs,
  type Values,
} from './pairs.ts'

/** B against A on shared items. */
export type PairedEffect = {
  /** Shared places: an item in a style, and for runs and styles of a model. */
  readonly items: number
  readonly accuracyA: number
  readonly accuracyB: number
  /** B - A. */
  readonly difference: Estimate
  readonly p: number
  readonly onlyA: number
  readonly onlyB: number
  readonly powerRatio: PowerRatio['resolution']
  /** Items still needed. */
  readonly needed: PowerRatio['needed']
}

/** E-values of the differences of groups: valid at any time, however often they are read. */
export interface SequentialEvidence {
  /** Groups, in the order of the run. */
  readonly units: number
  /** `item`: all items are of one group. */
  readonly unit: 'group' | 'item'
  /** E-values of "B is better" and of "A is better": 2 / 0.05 = 40 or more shows it with an error of at most 5 %. */
  readonly better: number
  readonly worse: number
  /** The same after the first units, at most 100 places; the last is after all. */
  readonly path: readonly { readonly units: number; readonly better: number; readonly worse: number }[]
}

export type TaskEffect = PairedEffect & { readonly task: string }

/** The effect at one level of a feature. */
export type LevelEffect = TaskEffect & {
  /** The label of the feature, and its name in the rows. */
  readonly feature: string
  readonly name: string
  readonly level: string
  /** p, Holm-adjusted over all levels of all features. */
  readonly holm: number
}

/** The verdict by the interval of B - A. */
export type Verdict = 'A is better' | 'B is better' | 'not resolved'

/** Two sides by accuracy on shared items: overall, by task and by feature. */
export interface Comparison {
  readonly schema: 'touchstone/compare/1'
  readonly metric: 'accuracy'
  readonly a: string
  readonly b: string
  readonly parser: string
  readonly overall: PairedEffect
  /** What is counted, here and at every task and level: items, or pairs of responses, one per style and model of an item. */
  readonly unit: SharedPairs['unit']
  /** Places of one side only. */
  readonly unpaired: SharedPairs['unpaired']
  readonly sequential: SequentialEvidence
  readonly tasks: readonly TaskEffect[]
  /** B - A over tasks (random effects), where two or more have a standard error; `overall` pools items instead. */
  readonly acrossTasks: RandomEffects | null
  /** The levels with the smallest p first; with `levels: 'all'` every level in the order of tasks and features. */
  readonly byFeature: readonly LevelEffect[]
  /** Levels that Holm adjusts for. */
  readonly comparisons: number
  /** Of `overall`. */
  readonly verdict: Verdict
  /** Of `acrossTasks`, which may differ; null where that is. */
  readonly verdictOverTasks: Verdict | null
  /** Non-inferiority of B; null without a margin. */
  readonly margin: { readonly margin: number; readonly state: 'non-inferior' | 'inferior' | 'inconclusive' } | null
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
}

/**
 * Two runs, models or styles on shared items: B - A with an interval clustered by group, and where it is largest. null where
 * they share too little for an interval.
 */
export function compareSides(
  a: ComparisonSide,
  b: ComparisonSide,
  by: ComparedBy,
  tasks: readonly Task[],
  { parser = 'strict', margin, levels: wanted = 'telling', confidence }: CompareOptions = {},
): Comparison | null {
  const [left, right] = [a, b].map(({ frames }) => frames.frame(parser))
  if (left == null || right == null) return null
  const { pairs: all, unpaired, unit } = sharedPairs(left, a, right, b, by, correctnessOf)
  const overall = effectOf(all, left, confidence)?.paired ?? null
  if (overall === null) return null
  const byTask = tasks.flatMap((task) => {
    const [mine, theirs] = [a, b].map(({ frames }) => frames.ofTask(task.name).frame(parser))
    if (mine == null || theirs == null) return []
    const { pairs } = sharedPairs(mine, a, theirs, b, by, correctnessOf)
    const effect = effectOf(pairs, mine, confidence)
    if (effect === null) return []
    const levels = levelsOf(task, mine, pairs, confidence)
    return [{ effect: { task: task.name, ...effect.paired }, effectSize: effect.effectSize, levels }]
  })
  const found = byTask.flatMap(({ levels }) => levels)
  const adjusted = holm(found.map(({ p }) => p))
  const levels = found.map((one, i) => ({ ...one, holm: adjusted[i] as number }))
  const acrossTasks = randomEffects(
    byTask.map(({ effectSize }) => effectSize),
    { bounds: [-1, 1], ...(confidence === undefined ? {} : { confidence }) },
  )
  return {
    schema: 'touchstone/compare/1',
    metric: 'accuracy',
    a: a.name,
    b: b.name,
    parser,
    overall,
    unit,
    unpaired,
    sequential: evidenceOf(all, left),
    tasks: byTask.map(({ effect }) => effect),
    acrossTasks,
    byFeature: wanted === 'all' ? levels : levels.toSorted((x, y) => x.p - y.p).slice(0, MAX_SHOWN_LEVELS),
    comparisons: levels.length,
    verdict: verdictOf(overall.difference, 'better'),
    verdictOverTasks: acrossTasks === null ? null : verdictOf(acrossTasks.effect, 'better'),
    margin: margin === undefined ? null : { margin, state: nonInferiority(overall.difference, margin) },
  }
}

const verdictOf = <Word extends 'better' | 'higher'>(
  { low, high }: Estimate,
  word: Word,
): `A is ${Word}` | `B is ${Word}` | 'not resolved' =>
  low > 0 ? `B is ${word}` : high < 0 ? `A is ${word}` : 'not resolved'

const nonInferiority = ({ low, high }: Estimate, margin: number) =>
  low > -margin ? 'non-inferior' : high < -margin ? 'inferior' : 'inconclusive'

const correctnessOf: Values = (frame) => correctness(scores(frame))

/** Most places in the path of e-values. */
const MAX_PLACES = 100

function evidenceOf(pairs: readonly Pair[], frame: Frame): SequentialEvidence {
  const groups = clustering(clustersOf(pairs, frame))
  const sums = clusterSums(
    pairs.map(({ a, b }) => b - a),
    groups,
  )
  const { above, below } = anytimePath(sums.map((sum, group) => sum / (groups.sizes[group] as number)))
  const units = sums.length
  const places = Math.min(MAX_PLACES, units)
  const ends = Array.from({ length: places }, (_, k) => Math.ceil(((k + 1) * units) / places))
  const at = (end: number) => ({ units: end, better: above[end - 1] as number, worse: below[end - 1] as number })
  return { ...at(units), unit: inOneGroup(frame, rowsOf(pairs)) ? 'item' : 'group', path: ends.map(at) }
}

function effectOf(
  pairs: readonly Pair[],
  frame: Frame,
  confidence?: number,
): { readonly paired: PairedEffect; readonly effectSize: Effect } | null {
  const [a, b] = [pairs.map((pair) => pair.a), pairs.map((pair) => pair.b)]
  const found = pairedDifference(b, a, clustersOf(pairs, frame), confidence)
  if (found === null) return null
  const gaps = pairs.map((pair) => pair.b - pair.a)
  const discordant = mcnemar(gaps.filter((gap) => gap < 0).length, gaps.filter((gap) => gap > 0).length)
  const { resolution, needed } = powerRatio(gaps, found.kind === 'varied' ? found.standardError : 0)
  const paired = {
    items: pairs.length,
    accuracyA: moments(a).mean,
    accuracyB: moments(b).mean,
    difference: asSingleGroup(found.difference, inOneGroup(frame, rowsOf(pairs))),
    p: found.p,
    onlyA: discordant.onlyA,
    onlyB: discordant.onlyB,
    powerRatio: resolution,
    needed,
  }
  return { paired, effectSize: effectOfDifference(found, confidence) }
}

function levelsOf(
  task: Task,
  frame: Frame,
  pairs: readonly Pair[],
  confidence: number | undefined,
): Omit<LevelEffect, 'holm'>[] {
  return factors(task, frame).flatMap(({ name, label, levels, codes }) => {
    const byLevel = Map.groupBy(pairs, ({ row }) => codes[row] as number)
    return levels.flatMap((level, code) => {
      const inside = byLevel.get(code) ?? []
      const effect = inside.length < MIN_SHARED ? null : effectOf(inside, frame, confidence)
      return effect === null ? [] : [{ task: task.name, feature: label, name, level: level.label, ...effect.paired }]
    })
  })
}

/** B against A on the loglikelihood items of one kind that both have. */
export interface MetricEffect {
  readonly task: string
  /** The kind of item, by the feature that says so; null where the task has none. */
  readonly kind: string | null
  readonly strings: number
  readonly meanA: number
  readonly meanB: number
  /** B - A, with an interval clustered by group. */
  readonly difference: Estimate
  /** Which is higher; what is better depends on the metric. */
  readonly verdict: 'A is higher' | 'B is higher' | 'not resolved'
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
 * B - A of a metric, in its unit, for each task and kind of item. `effects` is empty where no kind has two groups that both sides
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
    pairs.map((pair) => pair.b - pair.a),
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
      verdict: verdictOf(difference, 'higher'),
    },
  ]
}
