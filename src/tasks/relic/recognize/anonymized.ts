import { type AnonymizedQuestion, memoize, type NgramModel, namedStream } from '../../../core/index.ts'
import { ngramProbabilities } from '../../../libraries/grammars/negatives/ngram-model.ts'
import { ln } from '../../../libraries/grammars/pcfg/ln.ts'
import { attainableLengths } from '../../../libraries/grammars/sample/lengths.ts'
import { isCrossed, pairGrammarOf } from '../grammars/crossed.ts'
import { liftedOf, type Shared, tokensOf } from '../grammars/grammar.ts'
import { languageOf } from '../grammars/languages.ts'
import { grammarText } from '../grammars/present.ts'
import type { RelicQuestion } from './prompt.ts'

/** The tokens of the string, and the grammar's probabilities of tokens and neighbours. */
export const anonymize = (question: RelicQuestion): AnonymizedQuestion => ({
  kind: 'string',
  tokens: tokensOf(question.shared, question.given.string),
  local: localOf(question.shared),
})

/** Log-probabilities of tokens and neighbours under the grammar. */
export const localOf = memoize((shared: Shared): NgramModel => {
  if (isCrossed(shared)) return countedLocally(shared)
  const { token, first, last, next, parents } = ngramProbabilities(liftedOf(shared).cnf)
  return {
    token: logs(token),
    first: logs(first),
    last: logs(last),
    next: Array.from(token, (_, t) => logs(next.subarray(t * token.length, (t + 1) * token.length))),
    parents: [...parents],
  }
})

/** The longest strings, and how many, from which the statistics of a grammar over pairs are counted. */
const COUNTED = { length: 24, strings: 2000 } as const

function countedLocally(shared: Shared): NgramModel {
  const { terminals, lexical } = pairGrammarOf(shared)
  const { sampler, lengths } = languageOf(shared, COUNTED.length)
  const stream = namedStream('relic/local', grammarText(shared))
  const reached = attainableLengths(lengths)
  const counts = Array.from({ length: terminals.length + 1 }, () => new Float64Array(terminals.length + 1))
  for (let k = 0; k < COUNTED.strings; k++) {
    let before = terminals.length
    for (const token of [...sampler.sample(stream, reached[k % reached.length]!), terminals.length]) {
      counts[before]![token]!++
      before = token
    }
  }
  const shares = (row: Float64Array): Float64Array => {
    const total = row.reduce((sum, count) => sum + count, 0)
    return row.map((count) => (total === 0 ? 0 : count / total))
  }
  const tokensOnly = (row: Float64Array): Float64Array => row.subarray(0, terminals.length)
  const boundary = counts[terminals.length]!
  return {
    token: logs(shares(Float64Array.from(terminals, (_, t) => counts[t]!.reduce((sum, count) => sum + count, 0)))),
    first: logs(shares(tokensOnly(boundary))),
    last: logs(shares(Float64Array.from(terminals, (_, t) => counts[t]![terminals.length]!))),
    next: terminals.map((_, t) => logs(tokensOnly(shares(counts[t]!)))),
    parents: terminals.map(
      (_, t) => new Set(lexical.flatMap(([left, first, second]) => (first === t || second === t ? left : []))).size,
    ),
  }
}

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
