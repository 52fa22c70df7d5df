import { type Baseline, float, type Question, type Stream } from '../../../core/index.ts'
import { makeLearner, type SequenceLearner } from '../../../libraries/statistics/sequence/index.ts'
import type { Shared } from '../discriminate/types.ts'
import { joinTokens } from '../format.ts'
import { type Language, languageOf, sampleText } from '../languages/compiled.ts'
import type { Asked } from './task.ts'

type ChatBaseline = Extract<Baseline<Shared, Asked>, { kind: 'chat' }>

/** A sampled string is cut here. */
const longest = 1000

const answering = (
  note: string,
  write: (question: Question<Shared, Asked>, language: Language, stream: Stream) => readonly string[],
): ChatBaseline => ({
  kind: 'chat',
  note,
  answer(question, draws) {
    const { shared } = question
    const texts = write(question, languageOf(shared.grammar), draws.stream('strings'))
    return texts.map((text) => joinTokens(text, shared.format.separator)).join('\n')
  },
})

const several = (count: number, one: () => string): string[] => Array.from({ length: count }, one)

/** Samples from a learner that has read the examples; each string is unread before the next. */
function fromLearner(name: string): ChatBaseline {
  return answering(`samples from ${name} after the examples`, ({ given }, language, stream) => {
    const make = makeLearner(name)
    if (make === null) throw new Error(`there is no learner ${name}`)
    const { terminals } = language.grammar
    const learner = make(terminals.length + 1)
    learner.read(terminals.length)
    for (const text of given.examples) {
      for (const token of text.split(' ')) learner.read(terminals.indexOf(token))
      learner.read(terminals.length)
    }
    return several(given.strings, () => sampleFrom(learner, terminals, stream))
  })
}

function sampleFrom(learner: SequenceLearner, terminals: readonly string[], stream: Stream): string {
  const start = learner.mark()
  const out: string[] = []
  while (out.length < longest) {
    const symbol = drawSymbol(learner, stream, out.length === 0 ? terminals.length : learner.size)
    if (symbol === terminals.length) break
    out.push(terminals[symbol] as string)
    learner.read(symbol)
  }
  learner.rewind(start)
  return out.join(' ')
}

/** A symbol below `limit` by its probability: a string has at least one token. */
function drawSymbol(learner: SequenceLearner, stream: Stream, limit: number): number {
  const weights = Array.from({ length: limit }, (_, symbol) => learner.probability(symbol))
  let left = float(stream) * weights.reduce((a, b) => a + b, 0)
  for (const [symbol, weight] of weights.entries()) {
    left -= weight
    if (left < 0) return symbol
  }
  return limit - 1
}

export const baselines: { readonly [name: string]: ChatBaseline } = {
  oracle: answering('samples from the language itself', ({ given }, language, stream) =>
    several(given.strings, () => sampleText(language, stream)),
  ),
  'copy-examples': answering(
    'repeats the examples: all of the language, none new',
    ({ given: { examples, strings } }) =>
      Array.from({ length: strings }, (_, i) => examples[i % examples.length] as string),
  ),
  ...Object.fromEntries(
    ['uniform', 'unigram', 'markov:2', 'markov:3', 'kneser-ney:6', 'ppm', 'ctw', 'match', 'mixture'].map((name) => [
      name,
      fromLearner(name),
    ]),
  ),
}
