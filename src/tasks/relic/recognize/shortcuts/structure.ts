import { type AnonymizedQuestion, memoize, type NgramModel } from '../../../../core/index.ts'
import { ngramProbabilities } from '../../../../libraries/grammars/negatives/ngram-model.ts'
import { ln } from '../../../../libraries/grammars/pcfg/ln.ts'
import { compiled, tokensOf } from '../compiled.ts'
import type { RelicQuestion, Shared } from '../prompt.ts'

/** The tokens of the string, and what the grammar says of each and of neighbours. */
export const structure = (question: RelicQuestion): AnonymizedQuestion => ({
  kind: 'string',
  tokens: tokensOf(question),
  local: localOf(question.shared),
})

/** What a grammar says of tokens and of neighbours, as logarithms. */
export const localOf = memoize((shared: Shared): NgramModel => {
  const { token, first, last, next, parents } = ngramProbabilities(compiled(shared))
  return {
    token: logs(token),
    first: logs(first),
    last: logs(last),
    next: Array.from(token, (_, t) => logs(next.subarray(t * token.length, (t + 1) * token.length))),
    parents: [...parents],
  }
})

const logs = (shares: Float64Array): (number | null)[] => Array.from(shares, (share) => (share > 0 ? ln(share) : null))
