import { pick } from '../../../../core/random.ts'
import { goldLine } from '../../common/answers.ts'
import { type Chat, chatBy } from '../../common/chat.ts'
import { shownStatements } from '../prompt.ts'
import { choices, type Given, type Question, type Shared } from '../question.ts'
import { solve } from '../truth/oracle.ts'
import { heuristics } from './heuristics.ts'

const chat = chatBy<Shared, Given, string>(goldLine)

export const baselines: { readonly [name: string]: Chat<Shared, Given> } = {
  oracle: chat('Transitive closure of the statements, or elimination', (question) => solve(question)),
  random: chat('One of the possible answers, uniformly', (question, draws) =>
    pick(draws.stream('choice'), choices(question)),
  ),
  yes: chat('Always the first possible answer (Yes, Consistent)', (question) => choices(question)[0] as string),
  'last-mentioned': chat('Whoever is mentioned last is the greater', (question) =>
    (heuristics['recency'] as (q: Question) => string)(question),
  ),
  'one-hop': chat(
    'Looks for a single statement about the two (needle in a haystack only); else guesses',
    (question, draws) => {
      const { ask } = question.given
      const guess = pick(draws.stream('choice'), choices(question))
      if (ask.kind === 'consistency') {
        const direct = shownStatements(question)
        return direct.some(([u, v]) => direct.some(([x, y]) => x === v && y === u)) ? 'Inconsistent' : guess
      }
      const [less, more] = ask.word === 'lesser' ? [ask.first, ask.second] : [ask.second, ask.first]
      for (const [u, v] of question.given.statements) {
        if (u === less && v === more) return 'Yes'
        if (u === more && v === less) return 'No'
      }
      return guess
    },
  ),
}
