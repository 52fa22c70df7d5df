import { type Baseline, pick, solutionText } from '../../../core/index.ts'
import { analyzerOf, type Shared, tokensOf } from '../grammars/grammar.ts'
import { ANSWERS } from './config.ts'
import { derivationsOf, type Given } from './draw.ts'
import type { CountQuestion } from './prompt.ts'
import { solution } from './truth.ts'

function worked(question: CountQuestion): { readonly text: string; readonly steps: number } {
  const { shared, given } = question
  const answer = derivationsOf(shared, tokensOf(shared, given.string))
  const text = solutionText(solution({ ...question, answer }), 'full')
  return { text, steps: text.split('\n').length }
}

/** From exact to blind. */
export const baselines: { readonly [name: string]: Baseline<Shared, Given> } = {
  chart: {
    kind: 'chat',
    note: 'exact: a chart with numbers; one item per line',
    answer: (question) => worked(question).text,
    work: worked,
  },
  membership: {
    kind: 'chat',
    note: '1 for a string of the language, 0 for any other',
    answer({ shared, given }) {
      const tokens = tokensOf(shared, given.string)
      return `Answer: ${analyzerOf(shared).chart(tokens).has(0, 0, tokens.length) ? 1 : 0}`
    },
  },
  random: {
    kind: 'chat',
    note: 'a number from 0 to 5 at random',
    answer: (_question, draws) => `Answer: ${pick(draws.stream('number'), ANSWERS)}`,
  },
}
