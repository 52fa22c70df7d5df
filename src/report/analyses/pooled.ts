import type { Analysis, Estimate, Frame } from '../../core/index.ts'
import {
  allRows,
  bySystem,
  clusterCodes,
  correctness,
  type Effect,
  effectOfDifference,
  holm,
  pairedDifference,
  partition,
  type RandomEffects,
  randomEffects,
  scores,
  systems,
} from '../../libraries/statistics/index.ts'
import { type Sheet, sharedItems, sheetOf } from './answer-sheets.ts'
import { count, estimate, pValue, text } from './columns.ts'

/** Of every two models that share two tasks or more: their difference over tasks. */
export const pooled: Analysis = {
  id: 'core/pooled',
  title: 'Paired comparison over tasks',
  notes: [
    'Each task gives one difference, over all items and styles that both models answered there, with its error over groups. Tasks are pooled as a sample of tasks like them: each counts by what it knows and by how much tasks differ (Paule and Mandel), the interval is that of Hartung and Knapp with one degree of freedom fewer than tasks. Holm corrects over all pairs of the table.',
    'Between tasks: the standard deviation of the true differences of tasks, with its interval (Q profile). A further task: where the difference on another task of this kind lies (95 %); two tasks cannot say.',
    'A pooled difference is of tasks like these, and not of all items put together, where the largest task decides.',
  ],
  needs: ['task', 'config', 'style', 'model', 'item', 'state', 'value'],
  run(frame) {
    const found = pairsOver(frame)
    if (found.length === 0) return { tables: [] }
    const adjusted = holm(found.map(({ pooled: { p } }) => p))
    const rows = found.map(({ a, b, pooled: one, leftOut }, i) => ({
      a,
      b,
      tasks: one.effect.n,
      leftOut,
      difference: one.effect,
      p: one.p,
      holm: adjusted[i] as number,
      between: one.tau.value,
      betweenLow: one.tau.low,
      betweenHigh: one.tau.high,
      heterogeneity: one.heterogeneity.p,
      further: furtherOf(one),
      unknown: one.prediction.kind === 'unknown' ? 'a third task: two tasks do not show how widely tasks differ' : '',
    }))
    return {
      tables: [
        {
          id: 'core/pooled',
          title: 'Differences in accuracy over tasks',
          columns: [
            text('a', 'Model A'),
            text('b', 'Model B'),
            count('tasks', 'Tasks'),
            ...(rows.some(({ leftOut }) => leftOut > 0) ? [count('leftOut', 'Tasks without an error')] : []),
            estimate('difference', 'A - B'),
            pValue('p', 'p'),
            pValue('holm', 'p (Holm)'),
            count('between', 'Between tasks'),
            count('betweenLow', 'from'),
            count('betweenHigh', 'to'),
            pValue('heterogeneity', 'p (one difference for all)'),
            estimate('further', 'A further task'),
            ...(rows.some(({ unknown }) => unknown !== '') ? [text('unknown', 'Cannot be known')] : []),
          ],
          rows,
        },
      ],
    }
  },
}

/** What is predicted for one more task, as a row's cell; null where nothing is. */
function furtherOf({ effect, prediction }: RandomEffects): Estimate | null {
  if (prediction.kind === 'unknown') return null
  const { low, high } = prediction
  const method = 'prediction of a further task, over the confidence distribution of how tasks differ'
  return { value: effect.value, low, high, n: effect.n, method }
}

interface Asked {
  readonly task: string
  /** Of each style of prompt. */
  readonly sheets: ReadonlyMap<string, Sheet>
}

function pairsOver(frame: Frame) {
  const right = correctness(scores(frame))
  const models = bySystem(systems(frame), allRows(frame)).map(({ contestant, rows }) => ({
    contestant,
    asked: partition(frame, ['task'], rows).map(
      ({ key, rows: mine }): Asked => ({
        task: key['task'] ?? '',
        sheets: new Map(
          partition(frame, ['style'], mine).map(({ key: { style }, rows: own }) => [
            style ?? '',
            sheetOf(frame, right, own),
          ]),
        ),
      }),
    ),
  }))
  return models.flatMap((a, i) =>
    models.slice(i + 1).flatMap((b) => {
      const both = a.asked.flatMap((mine) => {
        const theirs = b.asked.find(({ task }) => task === mine.task)
        return theirs === undefined ? [] : differenceOn(frame, mine, theirs)
      })
      const effects = both.filter((effect) => effect !== null)
      const pooled = randomEffects(effects, { bounds: [-1, 1] })
      if (pooled === null) return []
      return [{ a: a.contestant, b: b.contestant, pooled, leftOut: both.length - effects.length }]
    }),
  )
}

/** The effect on one task over all styles that both were asked in: none where nothing is shared, null where there is no error. */
function differenceOn(frame: Frame, a: Asked, b: Asked): readonly (Effect | null)[] {
  const first: number[] = []
  const second: number[] = []
  const rows: number[] = []
  for (const [style, mine] of a.sheets) {
    const theirs = b.sheets.get(style)
    if (theirs === undefined) continue
    const both = sharedItems(frame, mine, theirs)
    both.rows.forEach((row, i) => {
      first.push(both.first[i] as number)
      second.push(both.second[i] as number)
      rows.push(row)
    })
  }
  if (rows.length === 0) return []
  const found = pairedDifference(first, second, clusterCodes(frame, Int32Array.from(rows)))
  return [found === null ? null : effectOfDifference(found)]
}
