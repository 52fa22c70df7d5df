import type { Analysis, Frame, Task } from '../../core/index.ts'
import { accuracy } from './accuracy.ts'
import { byFeature } from './by-feature.ts'
import { confusion } from './confusion.ts'
import { measures } from './measures.ts'
import { paired } from './paired.ts'
import { passAtKTable } from './samples.ts'
import { twinSets } from './twin-sets.ts'
import { usage } from './usage.ts'

/** Analyses of a whole run that need no knowledge of its tasks. `columns`: the measured columns of the rows. */
export function runAnalyses(frame: Frame, measured: readonly string[]): readonly Analysis[] {
  const read = frame.has('state') && frame.category('state').levels.some((state) => state !== 'measured')
  return [
    ...(read ? [accuracy, paired, confusion, passAtKTable, twinSets] : []),
    ...(measured.length > 0 ? [measures(measured)] : []),
    usage,
  ]
}

/** Analyses that every task gets by its declared features, before its own. */
export const taskAnalyses = (task: Task): readonly Analysis[] => (task.parsers === undefined ? [] : [byFeature(task)])
