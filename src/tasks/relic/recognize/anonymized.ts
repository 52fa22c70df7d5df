import { type AnonymizedQuestion, memoize, type NgramModel } from '../../../core/index.ts'
import { localShares } from '../../../libraries/grammars/negatives/local-shares.ts'
import { ln } from '../../../libraries/grammars/pcfg/ln.ts'
import { compiled, tokensOf } from './compiled.ts'
import type { RelicQuestion, Shared } from './prompt.ts'

/** The tokens of the string, and the grammar's probabilities of tokens and neighbours. */
export const anonymize = (question: RelicQuestion): AnonymizedQuestion => ({
  kind: 'string',
  tokens: tokensOf(question),
  local: localOf(question.shared),
})

/** Log-probabilities of tokens and neighbours under the grammar. */
export const localOf = memoize((shared: Shared): NgramModel => {
  const { token, first, last, next, parents } = localShares(compiled(shared))
  return {
    token: logs(token),
    first: logs(first),
    last: logs(last),
    next: Array.from(token, (_, t) => logs(next.subarray(t * token.length, (t + 1) * token.length))),
    parents: [...parents],
  }
})

const logs = (shares: Float64Array): (number | null)[] => Array.from(shares, (share) => (share > 0 ? ln(share) : null))

/**
 * What all matched pairs share: the sorted multiset of adjacent token pairs, with the ends of the string as empty
 * tokens.
 */
export function pairSignature({ given }: RelicQuestion): readonly string[] {
  const tokens = ['', ...given.string.split(' '), '']
  return tokens
    .slice(1)
    .map((token, i) => `${tokens[i]} ${token}`)
    .sort()
}
