import { parserOf } from '../grammars/text-parser.ts'
import type { RelicQuestion } from './prompt.ts'

/** Membership by Earley's algorithm, top-down: another principle than the generator's end masks. */
export const oracle = ({ shared, given }: RelicQuestion, answer: boolean): boolean =>
  parserOf(shared).accepts(given.string.split(' ')) === answer
