import { type Outcome, statusOf } from '../core/index.ts'

/** As the headline counts it: 1 or 0; null where nothing came, or it is no answer. */
export function rightness(outcome: Outcome): 0 | 1 | null {
  if (outcome.kind !== 'answered') return null
  const verdict = outcome.verdicts['strict']
  return statusOf(outcome, 'strict') === 'graded' && verdict?.kind === 'graded' && verdict.value >= 1 ? 1 : 0
}
