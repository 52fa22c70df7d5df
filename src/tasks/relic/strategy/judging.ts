import type { Judging } from '../../../core/index.ts'
import { judgements } from '../import/judgements.ts'
import { strategyQuestion } from './question.ts'
import { strategy } from './task.ts'

/** Responses to relic/recognize, judged by their strategy: alike are those about strings of one length and class. */
export const judging: Judging = {
  of: 'relic/recognize',
  task: strategy,
  question: strategyQuestion,
  strata: ['length', 'label'],
  importers: [judgements],
}
