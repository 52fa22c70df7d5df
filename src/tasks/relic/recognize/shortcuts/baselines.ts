import { type Baseline, coin, memoize } from '../../../../core/index.ts'
import { compileRecognizer } from '../../../../libraries/grammars/recognise/recognizer.ts'
import { derived, TIRES_AFTER, tiring } from '../aloud.ts'
import { compiled, tokensOf } from '../compiled.ts'
import type { Given, Shared } from '../prompt.ts'
import { bigramLegal, symbolsKnown } from './heuristics.ts'

const recognizer = memoize((shared: Shared) => compileRecognizer(compiled(shared)))

const yesNo = (yes: boolean): string => (yes ? 'Yes' : 'No')

/** Solvers and rules of thumb, from exact to blind (paper, section 5; specs/relic 8). */
export const baselines: { readonly [name: string]: Baseline<Shared, Given> } = {
  cyk: {
    kind: 'chat',
    note: 'exact: parses the string',
    answer: (question) => yesNo(recognizer(question.shared).accepts(tokensOf(question))),
  },
  derive: {
    kind: 'chat',
    note: 'exact, and aloud: a derivation, or a chart in which there is none; a step is a line',
    answer: (question) => derived(question).text,
    work: derived,
  },
  tire: {
    kind: 'chat',
    note: `aloud: as derive up to ${TIRES_AFTER} tokens, beyond them by whether adjacent pairs are legal`,
    answer: (question) => tiring(question).text,
    work: tiring,
  },
  bigram: {
    kind: 'chat',
    note: 'Yes where the first token can begin, the last can end and every adjacent pair can occur',
    answer: (question) => yesNo(bigramLegal(question)),
  },
  symbols: {
    kind: 'chat',
    note: 'Yes where every token occurs in the grammar',
    answer: (question) => yesNo(symbolsKnown(question)),
  },
  length: {
    kind: 'chat',
    note: 'Yes up to 25 tokens, for the released positives are the shorter ones',
    answer: (question) => yesNo(question.given.string.split(' ').length <= 25),
  },
  majority: { kind: 'chat', note: 'always No, the commoner class of the released set', answer: () => 'No' },
  random: { kind: 'chat', note: 'a fair coin', answer: (_question, draws) => yesNo(coin(draws.stream('coin'))) },
}
