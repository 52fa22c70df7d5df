import { coin, pick } from '../../../../core/random.ts'
import type { RandomStreams } from '../../../../core/task.ts'
import { hobbies } from '../../../../libraries/language/people.ts'
import { goldLine } from '../../common/answers.ts'
import { type Chat, chatBy } from '../../common/chat.ts'
import { choices, type Given, type Question, type Shared } from '../question.ts'
import { solve } from '../truth/oracle.ts'

const chat = chatBy<Shared, Given, string>(goldLine)

const guess = (question: Question, draws: RandomStreams): string => {
  const stream = draws.stream('choice')
  const all = choices(question)
  if (all.length > 0) return pick(stream, all)
  const some = hobbies.filter(() => coin(stream) && coin(stream))
  return some.length === 0 ? 'N/A' : some.join(', ')
}

export const baselines: { readonly [name: string]: Chat<Shared, Given> } = {
  oracle: chat('Looks the answer up in the records', (question) => solve(question)),
  random: chat('A possible answer, uniformly; hobbies each with probability 1/4', guess),
  yes: chat('Always the first possible answer; no hobbies in common', (question) => choices(question)[0] ?? 'N/A'),
  'last-mentioned': chat(
    'The one of the possible answers that is named last in the question',
    (question) => choices(question).at(-1) ?? 'N/A',
  ),
  'one-hop': chat('Right where one record decides (needle in a haystack only); else guesses', (question, draws) => {
    const { kind } = question.given.ask
    return kind === 'size' || kind === 'hobby' ? solve(question) : guess(question, draws)
  }),
}
