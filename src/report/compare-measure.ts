import type { Estimate, Frame, Task } from '../core/index.ts'
import { clusteredMeanEstimate, moments } from '../libraries/statistics/index.ts'
import { truthOf } from './analyses/truth.ts'
import { type Axis, clustersOf, type Pair, pairsOf, type Side } from './pairs.ts'

/** B against A on the strings of one kind that both have scored. */
export interface MeasuredEffect {
  readonly task: string
  /** What the strings are, by the feature that says so; null where the task has none. */
  readonly kind: string | null
  readonly strings: number
  readonly meanA: number
  readonly meanB: number
  /** B - A, with an interval clustered by group of items. */
  readonly difference: Estimate
  /** Which is higher, where the interval says; what is better depends on the measure. */
  readonly verdict: 'A is higher' | 'B is higher' | 'not resolved'
}

/** Two runs, models or styles by a measure of the strings that both have scored. */
export interface MeasureComparison {
  readonly schema: 'touchstone/compare-measure/1'
  readonly a: string
  readonly b: string
  readonly measure: string
  readonly effects: readonly MeasuredEffect[]
}

/** The measures that rows have, by name. */
export const measuresOf = (columns: readonly string[]): readonly string[] =>
  columns.filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length))

const PREFIX = 'measured_'

/**
 * B - A of a measure, in the unit of the measure, for each task and kind of string. `effects` is empty where no kind of
 * string has two groups that both sides have scored.
 */
export function compareMeasure(
  a: Side,
  b: Side,
  axis: Axis,
  tasks: readonly Task[],
  measure: string,
): MeasureComparison {
  const effects = tasks.flatMap((task) => {
    const [left, right] = [a, b].map(({ frames }) => frames.ofTask(task.name).frame('strict'))
    const column = `${PREFIX}${measure}`
    if (left == null || right == null || !left.has(column) || !right.has(column)) return []
    const pairs = pairsOf(left, a, right, b, axis, (frame) => frame.number(column))
    return [...Map.groupBy(pairs, kindIn(left, truthOf([task])))].flatMap(([kind, own]) =>
      effectOf(task.name, kind, own, left),
    )
  })
  return { schema: 'touchstone/compare-measure/1', a: a.name, b: b.name, measure, effects }
}

function kindIn(frame: Frame, truth: string | null): (pair: Pair) => string | null {
  const column = `feature_${truth}`
  if (truth === null || !frame.has(column)) return () => null
  const { codes, levels } = frame.category(column)
  return ({ row }) => levels[codes[row] as number] ?? null
}

function effectOf(task: string, kind: string | null, pairs: readonly Pair[], frame: Frame): MeasuredEffect[] {
  const difference = clusteredMeanEstimate(
    pairs.map((pair) => pair.b - pair.a),
    clustersOf(pairs, frame),
  )
  if (difference === null) return []
  const { low, high } = difference
  return [
    {
      task,
      kind,
      strings: pairs.length,
      meanA: moments(pairs.map((pair) => pair.a)).mean,
      meanB: moments(pairs.map((pair) => pair.b)).mean,
      difference,
      verdict: low > 0 ? 'B is higher' : high < 0 ? 'A is higher' : 'not resolved',
    },
  ]
}
