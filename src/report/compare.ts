import type { Estimate, Frame, Task } from '../core/index.ts'
import {
  anytimePath,
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
import { factors } from './analyses/features.ts'
import { told } from './analyses/one-group.ts'
import { type Axis, clustersOf, type Pair, pairsOf, type Shared, type Side, sharedOf, type Values } from './pairs.ts'

/** B against A on what both were asked. */
export type PairedEffect = {
  /** Places that both answered: an item in a style, and for runs and styles of a model. */
  readonly items: number
  readonly accuracyA: number
  readonly accuracyB: number
  /** B - A. */
  readonly difference: Estimate
  readonly p: number
  readonly onlyA: number
  readonly onlyB: number
} & PowerRatio

/** How strongly the differences of groups speak, by e-values that may be read at any time and as often as one likes. */
export interface Evidence {
  /** Each counts once, in the order of the run. */
  readonly units: number
  /** Items stand for groups where all are of one. */
  readonly unit: 'group' | 'item'
  /** E-values of "B is better" and of "A is better": one of 2 / 0.05 = 40 or more is shown with an error of at most 5 %. */
  readonly better: number
  readonly worse: number
  /** The same after the first units: at most 100 places, the last is that of all. */
  readonly path: readonly { readonly units: number; readonly better: number; readonly worse: number }[]
}

export type TaskEffect = PairedEffect & { readonly task: string }

/** The effect at one level of a feature. */
export type LevelEffect = TaskEffect & {
  /** The feature as a reader knows it, and by its name in the rows. */
  readonly feature: string
  readonly name: string
  readonly level: string
  /** p by Holm over all levels of all features. */
  readonly holm: number
}

/** What an interval of B - A leaves open. */
export type Verdict = 'A is better' | 'B is better' | 'not resolved'

/** Two runs on the items that they share: differences in all and by feature. */
export interface Comparison {
  readonly schema: 'touchstone/compare/1'
  readonly a: string
  readonly b: string
  readonly parser: string
  readonly overall: PairedEffect
  /** What is counted, here and at every task and level: items, or pairs of answers, of which an item has one for each style and model. */
  readonly unit: Shared['unit']
  /** Places that only one side answered: they are left out. */
  readonly alone: Shared['alone']
  readonly evidence: Evidence
  readonly tasks: readonly TaskEffect[]
  /** B - A over tasks as a sample of tasks like them, where two or more have an error; `overall` is of all items put together. */
  readonly pooled: RandomEffects | null
  /** Where they differ most, least p first; or, where all were asked for, every level in the order of tasks and features. */
  readonly levels: readonly LevelEffect[]
  /** Levels that were looked at: Holm corrects for so many. */
  readonly tested: number
  /** Of all items put together, which `overall` is of: the one to quote for these items. */
  readonly verdict: Verdict
  /** Of tasks like these, which `pooled` is of: another question, whose answer may differ. null where `pooled` is. */
  readonly verdictOverTasks: Verdict | null
  /** Is B worse by less than the margin? null where none was given. */
  readonly margin: { readonly margin: number; readonly state: 'holds' | 'fails' | 'not shown' } | null
}

/** Levels with fewer shared places say nothing. */
export const MIN = 20
const MAX_SHOWN_LEVELS = 10

/** What of a comparison is asked for. */
export interface CompareOptions {
  /** Whose verdicts count; left out: `strict`. */
  readonly parser?: string
  /** How much worse B may be. */
  readonly margin?: number
  /** The few levels with the least p, or all of them; left out: the few. */
  readonly levels?: 'telling' | 'all'
  /** Confidence of the intervals of differences; 0.95 where nothing is said. */
  readonly level?: number
}

/**
 * Two runs, models or styles on the same items: B - A with an interval clustered by group, and where it is largest. null where
 * the sides have too little in common for an interval.
 */
export function compareSides(
  a: Side,
  b: Side,
  axis: Axis,
  tasks: readonly Task[],
  { parser = 'strict', margin, levels: wanted = 'telling', level }: CompareOptions = {},
): Comparison | null {
  const [left, right] = [a, b].map(({ frames }) => frames.frame(parser))
  if (left == null || right == null) return null
  const { pairs: all, alone, unit } = sharedOf(left, a, right, b, axis, rightness)
  const overall = effectOf(all, left, level)?.paired ?? null
  if (overall === null) return null
  const cuts = tasks.flatMap((task) => {
    const [mine, theirs] = [a, b].map(({ frames }) => frames.ofTask(task.name).frame(parser))
    if (mine == null || theirs == null) return []
    const pairs = pairsOf(mine, a, theirs, b, axis, rightness)
    const effect = effectOf(pairs, mine, level)
    if (effect === null) return []
    return [{ task, frame: mine, pairs, effect: { task: task.name, ...effect.paired }, evidence: effect.evidence }]
  })
  const found = cuts.flatMap(({ task, frame, pairs }) => levelsOf(task, frame, pairs, level))
  const adjusted = holm(found.map(({ p }) => p))
  const levels = found.map((one, i) => ({ ...one, holm: adjusted[i] as number }))
  const { low, high } = overall.difference
  const pooled = randomEffects(
    cuts.map(({ evidence }) => evidence),
    { bounds: [-1, 1], ...(level === undefined ? {} : { confidence: level }) },
  )
  return {
    schema: 'touchstone/compare/1',
    a: a.name,
    b: b.name,
    parser,
    overall,
    unit,
    alone,
    evidence: evidenceOf(all, left),
    tasks: cuts.map(({ effect }) => effect),
    pooled,
    levels: wanted === 'all' ? levels : levels.toSorted((x, y) => x.p - y.p).slice(0, MAX_SHOWN_LEVELS),
    tested: levels.length,
    verdict: verdictOf(overall.difference),
    verdictOverTasks: pooled === null ? null : verdictOf(pooled.effect),
    margin:
      margin === undefined ? null : { margin, state: low > -margin ? 'holds' : high < -margin ? 'fails' : 'not shown' },
  }
}

const verdictOf = ({ low, high }: Estimate): Verdict =>
  low > 0 ? 'B is better' : high < 0 ? 'A is better' : 'not resolved'

const areOneGroup = (pairs: readonly Pair[], frame: Frame): boolean =>
  inOneGroup(
    frame,
    Int32Array.from(pairs, ({ row }) => row),
  )

const rightness: Values = (frame) => correctness(scores(frame))

/** Places of the path of evidence that are told. */
const PLACES = 100

function evidenceOf(pairs: readonly Pair[], frame: Frame): Evidence {
  const groups = clustering(clustersOf(pairs, frame))
  const sums = clusterSums(
    pairs.map(({ a, b }) => b - a),
    groups,
  )
  const { above, below } = anytimePath(sums.map((sum, group) => sum / (groups.sizes[group] as number)))
  const units = sums.length
  const ends = Array.from({ length: Math.min(PLACES, units) }, (_, k) =>
    Math.ceil(((k + 1) * units) / Math.min(PLACES, units)),
  )
  const at = (end: number) => ({ units: end, better: above[end - 1] as number, worse: below[end - 1] as number })
  return { ...at(units), unit: areOneGroup(pairs, frame) ? 'item' : 'group', path: ends.map(at) }
}

function effectOf(
  pairs: readonly Pair[],
  frame: Frame,
  level?: number,
): { readonly paired: PairedEffect; readonly evidence: Effect } | null {
  const [a, b] = [pairs.map((pair) => pair.a), pairs.map((pair) => pair.b)]
  const clusters = clustersOf(pairs, frame)
  const found = pairedDifference(b, a, clusters, level)
  if (found === null) return null
  const gaps = pairs.map((pair) => pair.b - pair.a)
  const discordant = mcnemar(gaps.filter((gap) => gap < 0).length, gaps.filter((gap) => gap > 0).length)
  const paired = {
    items: pairs.length,
    accuracyA: moments(a).mean,
    accuracyB: moments(b).mean,
    difference: told(found.difference, areOneGroup(pairs, frame)),
    p: found.p,
    onlyA: discordant.onlyA,
    onlyB: discordant.onlyB,
    ...powerRatio(gaps, found.kind === 'varied' ? found.standardError : 0),
  }
  return { paired, evidence: effectOfDifference(found, level) }
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
      const effect = inside.length < MIN ? null : effectOf(inside, frame, confidence)
      return effect === null ? [] : [{ task: task.name, feature: label, name, level: level.label, ...effect.paired }]
    })
  })
}
