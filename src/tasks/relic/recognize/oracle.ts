import { isCrossed } from '../grammars/crossed.ts'
import { acceptsPairs, parserOf } from '../grammars/text-parser.ts'
import type { RelicQuestion } from './prompt.ts'

/**
 * Membership by Earley's algorithm, top-down: another principle than the generator's end masks. Over pairs by deduction over any
 * tuples, from the printed clauses.
 */
export const oracle = ({ shared, given }: RelicQuestion, answer: boolean): boolean =>
  (isCrossed(shared)
    ? acceptsPairs(shared, given.string.split(' '))
    : parserOf(shared).accepts(given.string.split(' '))) === answer
