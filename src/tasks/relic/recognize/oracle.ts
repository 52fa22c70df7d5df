import { acceptsPairs, parserOf } from '../grammars/text-parser.ts'
import type { RelicQuestion } from './prompt.ts'

/**
 * Membership by Earley's algorithm, top-down: another principle than the generator's end masks. Over pairs by deduction over any
 * tuples, by clauses.
 */
export const oracle = ({ shared, given }: RelicQuestion, answer: boolean): boolean =>
  (shared.pairs !== undefined
    ? acceptsPairs(shared, given.string.split(' '))
    : parserOf(shared).accepts(given.string.split(' '))) === answer
