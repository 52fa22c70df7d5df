import { type Grade, memoize, type Problem } from '../../../core/index.ts'
import type { Shared } from '../discriminate/types.ts'
import { languageOf, natsOf } from '../languages/compiled.ts'
import { earned, expected } from './standard.ts'
import type { Asked } from './task.ts'

/**
 * Score: what the new strings of the language earn, each once, over what the language itself earns on average after
 * these examples, at most 1. A copied, repeated or wrong string earns nothing. Subscores: `member` (members / written,
 * or requested, if more), `distinct` (different strings / written), `novel` (members that are no example / members),
 * `valid` (different new members / requested, at most 1), `expected` (what the language earns, of 1: near 0 it has hardly
 * a new string left, and the score is noise), and `surprisal`, the mean -ln P(s) of members in nats.
 */
export function gradeStrings(
  { shared, given }: Problem<Shared, Asked, readonly string[]>,
  answer: readonly string[],
): Grade {
  const { grammar } = shared
  const shown = new Set(given.examples)
  const costs = answer.map((text) => natsOf(languageOf(grammar), text))
  const members = answer.filter((_, i) => costs[i] !== null)
  const fresh = members.filter((text) => !shown.has(text))
  const surprisal = costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0)
  const attainable = expectedOf(given)(grammar)
  const paid = earned(grammar, given.examples, answer, given.strings)
  return {
    value: paid === 0 ? 0 : attainable === 0 ? 1 : Math.min(1, paid / attainable),
    parts: {
      member: members.length / Math.max(answer.length, given.strings),
      distinct: answer.length === 0 ? 0 : new Set(answer).size / answer.length,
      valid: Math.min(1, new Set(fresh).size / given.strings),
      expected: attainable,
      ...(members.length === 0 ? {} : { novel: fresh.length / members.length, surprisal: surprisal / members.length }),
    },
  }
}

/** Worked out once for all answers to an item. */
const expectedOf = memoize((given: Asked) => {
  const known = new Map<string, number>()
  return (grammar: string): number => {
    const found = known.get(grammar) ?? expected(grammar, given.examples, given.strings)
    known.set(grammar, found)
    return found
  }
})
