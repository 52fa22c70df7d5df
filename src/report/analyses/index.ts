import type { Analysis, Frame, Task } from '../../core/index.ts'
import { varying } from '../../libraries/statistics/index.ts'
import { accuracy } from './accuracy.ts'
import { acrossTasks } from './across-tasks.ts'
import { byFeature } from './by-feature.ts'
import { confusion } from './confusion.ts'
import { contrastSets } from './contrast-sets.ts'
import { kindFeature, metrics } from './metrics.ts'
import { mixedModel } from './mixed-model.ts'
import { paired, styles } from './paired.ts'
import { passAtKTable } from './pass-at-k.ts'
import { psychometrics } from './psychometric.ts'
import { rankAgreements } from './rank-agreement.ts'
import { ranks } from './ranks.ts'
import { usage } from './usage.ts'

/** Analyses of a whole run. `measured`: the columns of metrics; `tasks`: those of the rows. */
export function runAnalyses(frame: Frame, measured: readonly string[], tasks: readonly Task[]): readonly Analysis[] {
  const breakers = new Map(
    tasks.flatMap(({ name, tieBreaker }) => (tieBreaker === undefined ? [] : [[name, tieBreaker]])),
  )
  const responses = [
    accuracy(tasks),
    ranks,
    paired(tasks),
    ...(varying(frame, ['task']).length > 0 ? [acrossTasks] : []),
    ...(varying(frame, ['style']).length > 0 ? [styles] : []),
    confusion,
    passAtKTable,
    contrastSets,
    mixedModel,
    rankAgreements(breakers),
  ]
  return [
    ...(hasResponses(frame) ? responses : []),
    ...(measured.length > 0 ? [metrics(measured, kindFeature(tasks))] : []),
    usage,
  ]
}

/** True where parsers read responses; false where all items are loglikelihood items. */
export const hasResponses = (frame: Frame): boolean =>
  frame.has('status') && frame.category('status').levels.some((status) => status !== 'loglikelihood')

/** Analyses that every task gets by its declared features, before its own. */
export const taskAnalyses = (task: Task): readonly Analysis[] =>
  task.parsers === undefined ? [] : [byFeature(task), psychometrics(task)]
