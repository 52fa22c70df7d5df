import { column, type Estimate, type Frame, memoizeWeak } from '../../core/index.ts'
import { type Conditions, conditions, inOneGroup, partition, shareOver } from '../../libraries/statistics/index.ts'

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

/** An accuracy over some rows, clustered by group. */
export const accuracyOver = (frame: Frame, correct: Float64Array, rows: Int32Array, confidence?: number) =>
  asSingleGroup(shareOver(frame, correct, rows, confidence), inOneGroup(frame, rows))

/** With a single group, items count as groups: the estimate and its method say that it holds for this group. */
export const asSingleGroup = <E extends Estimate | null>(found: E, single: boolean): E =>
  found === null || !single
    ? found
    : { ...found, groups: 1, method: found.method.replace(/ groups\b/u, ' items of one group') }
