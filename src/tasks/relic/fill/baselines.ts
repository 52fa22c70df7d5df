import { type Baseline, type RandomStreams, solutionText } from '../../../core/index.ts'
import { templateAnalyzer } from '../../../libraries/grammars/recognise/template.ts'
import { liftedOf, type Shared } from '../grammars/grammar.ts'
import { type Given, guess, templateOf } from './draw.ts'
import type { FillQuestion } from './prompt.ts'
import { solution } from './truth.ts'

const namesOf = (shared: Shared, tokens: ArrayLike<number>): readonly string[] =>
  Array.from(tokens, (token) => liftedOf(shared).cnf.terminals[token] as string)

function worked(question: FillQuestion): { readonly text: string; readonly steps: number } {
  const { shared, given } = question
  const found = templateAnalyzer(liftedOf(shared).cnf).fill(templateOf(shared, given))
  const text =
    found === null
      ? 'No filling found.'
      : solutionText(solution({ ...question, answer: namesOf(shared, found.tokens) }), 'full')
  return { text, steps: text.split('\n').length }
}

const guessing = (kind: 'uniform' | 'bigram') => ({
  kind: 'chat' as const,
  note: kind === 'uniform' ? 'random tokens' : 'tokens by how often they stand beside their neighbours',
  answer: ({ shared, given }: FillQuestion, draws: RandomStreams) =>
    `Answer: ${namesOf(shared, guess(shared, templateOf(shared, given), kind, draws.stream('tokens'))).join(' ')}`,
})

/** From exact to blind. */
export const baselines: { readonly [name: string]: Baseline<Shared, Given> } = {
  chart: {
    kind: 'chat',
    note: 'exact: a chart over all fillings at once',
    answer: (question) => worked(question).text,
    work: worked,
  },
  bigram: guessing('bigram'),
  random: guessing('uniform'),
}
