import { column, type Estimate, type Frame, memoizeWeak } from '../../core/index.ts'
import {
  type Conditions,
  clusterCodes,
  conditions,
  correctedMean,
  inOneGroup,
  partition,
  peoplesScores,
  shareOver,
  take,
} from '../../libraries/statistics/index.ts'

export const { text, number: count, number: pValue, share, estimate } = column

/** The method of intervals of right and wrong responses, for the notes of a table. */
export const SHARES_NOTE =
  'beta-binomial over groups: shares of groups follow a beta distribution whose spread is averaged over what the responses leave possible.'

/** The column that names the system. */
export const model = text('model', 'Model')

/** The conditions of a run: one task, config and style each. Configs are named where a task has several. */
export const conditionsOf: (frame: Frame) => Conditions = memoizeWeak((frame) => {
  const configs = partition(frame, ['task']).some(({ rows }) => partition(frame, ['config'], rows).length > 1)
  return conditions(frame, configs ? ['task', 'config', 'style'] : ['task', 'style'])
})

/**
 * An accuracy over some rows, clustered by group; where a judge scored, corrected by what people say of some of them, else its method
 * says that it is the judge's.
 */
export function accuracyOver(frame: Frame, correct: Float64Array, rows: Int32Array, confidence?: number) {
  const corrected = correctedOver(frame, correct, rows, confidence)
  if (corrected !== null) return corrected
  const found = asSingleGroup(shareOver(frame, correct, rows, confidence), inOneGroup(frame, rows))
  if (found === null || peoplesScores(frame, rows) === null) return found
  return { ...found, method: `${found.method}; by a judge, not corrected` }
}

/** null: no judge scored, or people labelled too few. */
export function correctedOver(
  frame: Frame,
  correct: Float64Array,
  rows: Int32Array,
  confidence?: number,
): Estimate | null {
  const truth = peoplesScores(frame, rows)
  if (truth === null) return null
  const scores = { judge: take(correct, rows), truth: take(truth, rows), clusters: clusterCodes(frame, rows) }
  return correctedMean(scores, confidence)?.estimate ?? null
}

/** With a single group, items count as groups: the estimate and its method say that it holds for this group. */
export const asSingleGroup = <E extends Estimate | null>(found: E, single: boolean): E =>
  found === null || !single
    ? found
    : { ...found, groups: 1, method: found.method.replace(/ groups\b/u, ' items of one group') }
