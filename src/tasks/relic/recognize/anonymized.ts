import { type AnonymizedQuestion, memoize, type NgramModel } from '../../../core/index.ts'
import { ngramProbabilities } from '../../../libraries/grammars/negatives/ngram-model.ts'
import { ln } from '../../../libraries/grammars/pcfg/ln.ts'
import { liftedOf, type Shared, tokensOf } from '../grammars/grammar.ts'
import type { RelicQuestion } from './prompt.ts'

/** The tokens of the string, and the grammar's probabilities of tokens and neighbours. */
export const anonymize = (question: RelicQuestion): AnonymizedQuestion => ({
  kind: 'string',
  tokens: tokensOf(question.shared, question.given.string),
  local: localOf(question.shared),
})

/** Log-probabilities of tokens and neighbours under the grammar. */
export const localOf = memoize((shared: Shared): NgramModel => {
  const { token, first, last, next, parents } = ngramProbabilities(liftedOf(shared).cnf)
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
