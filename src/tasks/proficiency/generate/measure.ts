import type { Grade, Problem } from '../../../core/index.ts'
import { tokensOf } from '../../../libraries/grammars/pcfg/index.ts'
import type { Shared } from '../discriminate/types.ts'
import { languageOf } from '../languages/compiled.ts'
import type { Asked } from './task.ts'

/**
 * Score: the share of members among the strings written (or requested, if more). Subscores: `distinct` (different
 * strings / written), `novel` (members that are no example / members), `valid` (different new members / requested, at
 * most 1), and `surprisal`, the mean -ln P(s) of members in nats.
 */
export function gradeStrings(
  { shared, given }: Problem<Shared, Asked, readonly string[]>,
  answer: readonly string[],
): Grade {
  const language = languageOf(shared.grammar)
  const shown = new Set(given.examples)
  const costs = answer.map((text) => costOf(text))
  function costOf(text: string): number | null {
    const tokens = tokensOf(language.grammar, text)
    if (tokens === null || tokens.length === 0) return null
    const steps = language.conditionals(tokens)
    return steps.length === tokens.length + 1 && (steps.at(-1) as number) > 0
      ? steps.reduce((sum, p) => sum - Math.log(p), 0)
      : null
  }
  const members = answer.filter((_, i) => costs[i] !== null)
  const fresh = members.filter((text) => !shown.has(text))
  const surprisal = costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0)
  return {
    value: members.length / Math.max(answer.length, given.strings),
    parts: {
      distinct: answer.length === 0 ? 0 : new Set(answer).size / answer.length,
      valid: Math.min(1, new Set(fresh).size / given.strings),
      ...(members.length === 0 ? {} : { novel: fresh.length / members.length, surprisal: surprisal / members.length }),
    },
  }
}
