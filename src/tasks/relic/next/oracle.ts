import type { Question } from '../../../core/index.ts'
import type { Shared } from '../grammars/grammar.ts'
import { parserOf } from '../grammars/text-parser.ts'
import type { Answer, Given } from './draw.ts'

/** By the text of the grammar: tokens that may follow, and END where nothing need follow. */
function continuationsOf({ shared, given }: Question<Shared, Given>): readonly string[] {
  const parser = parserOf(shared)
  const reading = parser.readAll(given.beginning.split(' '))
  return reading === null ? [] : [...parser.next(reading), ...(reading.at(-1)?.member === true ? ['END'] : [])]
}

const asText = (names: readonly string[]): string => [...new Set(names)].sort().join(' ')

export const oracle = (question: Question<Shared, Given>, answer: Answer): boolean =>
  asText(answer) === asText(continuationsOf(question))
