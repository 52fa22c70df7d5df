import type { Analysis, Frame, Task } from '../../core/index.ts'
import { accuracy } from './accuracy.ts'
import { byFeature } from './by-feature.ts'
import { confusion } from './confusion.ts'
import { crossedEffects } from './crossed.ts'
import { measures } from './measures.ts'
import { paired } from './paired.ts'
import { pooled } from './pooled.ts'
import { psychometrics } from './psychometric.ts'
import { rankAgreements } from './rankings.ts'
import { ranks } from './ranks.ts'
import { passAtKTable } from './samples.ts'
import { styles } from './styles.ts'
import { truthOf } from './truth.ts'
import { twinSets } from './twin-sets.ts'
import { usage } from './usage.ts'

/** Analyses of a whole run. `measured`: the measured columns of the rows; `tasks`: those whose rows they are. */
export function runAnalyses(frame: Frame, measured: readonly string[], tasks: readonly Task[]): readonly Analysis[] {
  const breakers = new Map(
    tasks.flatMap(({ name, tieBreaker }) => (tieBreaker === undefined ? [] : [[name, tieBreaker]])),
  )
  return [
    ...(readsAnswers(frame)
      ? [
          accuracy(tasks),
          ranks,
          paired,
          ...(several(frame, 'task') ? [pooled] : []),
          ...(several(frame, 'style') ? [styles] : []),
          confusion,
          passAtKTable,
          twinSets,
          crossedEffects,
          rankAgreements(breakers),
        ]
      : []),
    ...(measured.length > 0 ? [measures(measured, truthOf(tasks))] : []),
    usage,
  ]
}

/** Are there answers that parsers read, or only strings that were scored? */
export const readsAnswers = (frame: Frame): boolean =>
  frame.has('state') && frame.category('state').levels.some((state) => state !== 'measured')

const several = (frame: Frame, column: string): boolean => frame.has(column) && frame.category(column).levels.length > 1

/** Analyses that every task gets by its declared features, before its own. */
export const taskAnalyses = (task: Task): readonly Analysis[] =>
  task.parsers === undefined ? [] : [byFeature(task), psychometrics(task)]
