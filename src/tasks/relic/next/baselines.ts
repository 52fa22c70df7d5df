import { type Baseline, below, shuffle, solutionText } from '../../../core/index.ts'
import { continuations } from '../../../libraries/grammars/recognise/prefix.ts'
import { adjacencyOf, liftedOf, type Shared, symbolsOf, tokensOf } from '../grammars/grammar.ts'
import { END } from '../grammars/sequences.ts'
import { answerOf, type Given } from './draw.ts'
import type { NextQuestion } from './prompt.ts'
import { solution } from './truth.ts'

const answerLine = (names: readonly string[]): string => `Answer: ${names.join(' ')}`

function worked(question: NextQuestion): { readonly text: string; readonly steps: number } {
  const { shared, given } = question
  const found = continuations(liftedOf(shared).cnf, tokensOf(shared, given.beginning))
  const text = solutionText(solution({ ...question, answer: answerOf(shared, found) }), 'full')
  return { text, steps: text.split('\n').length }
}

/** From exact to blind. */
export const baselines: { readonly [name: string]: Baseline<Shared, Given> } = {
  chart: {
    kind: 'chat',
    note: 'exact, with a string for every token',
    answer: (question) => worked(question).text,
    work: worked,
  },
  followers: {
    kind: 'chat',
    note: 'all tokens that may stand behind the last one in some string',
    answer({ shared, given }) {
      const { pairs, ends } = adjacencyOf(shared)
      const { terminals } = liftedOf(shared).cnf
      const last = tokensOf(shared, given.beginning).at(-1) as number
      const names = terminals.filter((_, token) => pairs[last * terminals.length + token] === 1)
      return answerLine([...names, ...(ends[last] === 1 ? [END] : [])])
    },
  },
  all: {
    kind: 'chat',
    note: 'all tokens and END',
    answer: ({ shared }) => answerLine([...symbolsOf(shared).tokens.keys(), END]),
  },
  random: {
    kind: 'chat',
    note: 'some tokens at random, at most half of them',
    answer({ shared }, draws) {
      const stream = draws.stream('choices')
      const names = [...symbolsOf(shared).tokens.keys(), END]
      return answerLine(shuffle(stream, names).slice(0, 1 + below(stream, Math.floor(names.length / 2))))
    },
  },
}
