import {
  type Analysis,
  type Estimate,
  everyTwo,
  type Frame,
  GRADED_COLUMNS,
  optional,
  table,
} from '../../core/index.ts'
import {
  clusterCodes,
  correctness,
  type Effect,
  holm,
  partition,
  peoplesScores,
  type RandomEffects,
  randomEffects,
  scores,
  systemsIn,
} from '../../libraries/statistics/index.ts'
import { measurePair } from '../pair-effect.ts'
import { count, estimate, pValue, text } from './conditions.ts'
import { type ItemMeans, itemMeans, meansAt, sharedItems } from './item-means.ts'

/** Every two models that share two tasks or more: their difference, pooled over tasks. */
export const acrossTasks: Analysis = {
  id: 'core/across-tasks',
  title: 'Paired comparison across tasks',
  question: 'comparison',
  notes: [
    'One difference per task, pooled with random effects (Paule-Mandel, Hartung-Knapp).',
    'tau: SD of the true differences between tasks. Prediction interval: the difference on a new task of this kind.',
    'Not the difference over all items together, in which a task weighs by its items.',
  ],
  needs: GRADED_COLUMNS,
  run(frame) {
    const found = pairsOf(frame)
    const adjusted = holm(found.map(({ pooled: { p } }) => p))
    const rows = found.map(({ a, b, pooled: one, unusable }, i) => ({
      a,
      b,
      tasks: one.effect.n,
      unusable: unusable === 0 ? null : unusable,
      difference: one.effect,
      p: one.p,
      holm: adjusted[i] as number,
      tau: one.tau.value,
      tauLow: one.tau.low,
      tauHigh: one.tau.high,
      heterogeneity: one.heterogeneity.p,
      prediction: predictionOf(one),
      note: one.prediction.kind === 'unknown' ? 'no prediction from two tasks' : '',
    }))
    const pairs = table(
      'core/across-tasks',
      'Differences in accuracy across tasks',
      [
        text('a', 'Model A'),
        text('b', 'Model B'),
        count('tasks', 'Tasks'),
        optional(count('unusable', 'Tasks without a standard error')),
        estimate('difference', 'A − B'),
        pValue('p', 'p'),
        pValue('holm', 'p (Holm)'),
        count('tau', 'tau (SD between tasks)'),
        count('tauLow', 'tau low'),
        count('tauHigh', 'tau high'),
        pValue('heterogeneity', 'p (heterogeneity)'),
        estimate('prediction', 'Prediction interval (new task)'),
        optional(text('note', 'Note')),
      ],
      rows,
    )
    return { tables: [pairs] }
  },
}

function predictionOf({ effect, prediction }: RandomEffects): Estimate | null {
  if (prediction.kind === 'unknown') return null
  const { low, high } = prediction
  const method = 'prediction interval over the confidence distribution of tau'
  return { value: effect.value, low, high, n: effect.n, method }
}

/** The item means of one model on one task, by prompt style. */
interface TaskMeans {
  readonly task: string
  readonly byStyle: ReadonlyMap<string, { readonly means: ItemMeans; readonly truth: ItemMeans | null }>
}

function pairsOf(frame: Frame) {
  const correct = correctness(scores(frame))
  const all = systemsIn(frame).map(({ model, rows }) => ({
    name: model,
    tasks: partition(frame, ['task'], rows).map(({ key, rows: own }): TaskMeans => {
      const byStyle = partition(frame, ['style'], own).map(({ key: { style }, rows: mine }) => {
        const truth = peoplesScores(frame, mine)
        const means = itemMeans(frame, correct, mine)
        return [style ?? '', { means, truth: truth === null ? null : itemMeans(frame, truth, mine) }] as const
      })
      return { task: key['task'] ?? '', byStyle: new Map(byStyle) }
    }),
  }))
  return everyTwo(all).flatMap(([a, b]) => {
    const both = a.tasks.flatMap((mine) => {
      const theirs = b.tasks.find(({ task }) => task === mine.task)
      return theirs === undefined ? [] : differenceOn(frame, mine, theirs)
    })
    const effects = both.filter((effect) => effect !== null)
    const pooled = randomEffects(effects, { bounds: [-1, 1] })
    return pooled === null ? [] : [{ a: a.name, b: b.name, pooled, unusable: both.length - effects.length }]
  })
}

/** The difference on one task over all shared styles: empty where nothing is shared, null where it has no standard error. */
function differenceOn(frame: Frame, a: TaskMeans, b: TaskMeans): readonly (Effect | null)[] {
  const shared = [...a.byStyle].flatMap(([style, mine]) => {
    const theirs = b.byStyle.get(style)
    return theirs === undefined ? [] : [{ mine, theirs, ...sharedItems(frame, mine.means, theirs.means) }]
  })
  const rows = Int32Array.from(shared.flatMap((one) => [...one.rows]))
  if (rows.length === 0) return []
  const [first, second] = [shared.flatMap((one) => [...one.first]), shared.flatMap((one) => [...one.second])]
  const truthOf = (side: 'mine' | 'theirs') => shared.flatMap((one) => [...meansAt(frame, one[side].truth, one.rows)])
  const isJudged = shared.some(({ mine }) => mine.truth !== null)
  const truth = isJudged ? { first: truthOf('mine'), second: truthOf('theirs') } : null
  const clusters = clusterCodes(frame, rows, first, second)
  return [measurePair(first, second, clusters, { oneGroup: false, truth })?.effectSize ?? null]
}
