import { isMember, nextTokens, readString } from '../grammars/text-earley.ts'
import type { NextQuestion } from './prompt.ts'

/** Tokens that may follow, and END where nothing need follow. */
export function continuationsOf({ shared, given }: NextQuestion): readonly string[] {
  const reading = readString(shared, given.beginning.split(' '))
  return reading === null ? [] : [...nextTokens(shared, reading), ...(isMember(reading) ? ['END'] : [])]
}

const asText = (names: readonly string[]): string => [...new Set(names)].sort().join(' ')

export const oracle = (question: NextQuestion, answer: readonly string[]): boolean =>
  asText(answer) === asText(continuationsOf(question))
