import { pick } from '../../../../core/random.ts'
import type { Baseline, RandomStreams } from '../../../../core/task.ts'
import { choices, type Given, type Question, type Shared } from '../question.ts'
import { solve } from '../truth/oracle.ts'
import { heuristics } from './heuristics.ts'

const chat = (
  note: string,
  answer: (question: Question, draws: RandomStreams) => string,
): Baseline<Shared, Given> & { readonly kind: 'chat' } => ({
  kind: 'chat',
  note,
  // Bare, as the paper's prompt wants it: its own match is to the letter.
  answer,
})

export const baselines: { readonly [name: string]: Baseline<Shared, Given> } = {
  oracle: chat('Chases the genealogy', (question) => solve(question) ?? (choices(question)[0] as string)),
  random: chat('One of what the ends leave open, uniformly', (question, draws) =>
    pick(draws.stream('choice'), choices(question)),
  ),
  'own-word': chat(
    'The word that stands beside the one asked about, where it can be the answer',
    heuristics['own-word'] as (question: Question) => string,
  ),
}
