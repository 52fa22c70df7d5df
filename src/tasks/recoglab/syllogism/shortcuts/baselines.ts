import { pick } from '../../../../core/random.ts'
import { goldLine } from '../../common/answers.ts'
import { type Chat, chatBy } from '../../common/chat.ts'
import { choices, type Given, moods, type Question, type Shared } from '../question.ts'
import { shownPremises } from '../shown.ts'
import { solve } from '../truth/oracle.ts'
import { heuristics } from './heuristics.ts'

const chat = chatBy<Shared, Given, string>(goldLine)

export const baselines: { readonly [name: string]: Chat<Shared, Given> } = {
  oracle: chat('2-SAT with one individual for each "some"', (question) => solve(question) ?? 'none'),
  random: chat('An option, uniformly', (question, draws) => pick(draws.stream('choice'), choices(question))),
  yes: chat('Always the first option (All, Yes)', (question) => choices(question)[0] as string),
  'last-mentioned': chat('The kind of statement that stands last', (question) =>
    (heuristics['last-mood'] as (q: Question) => string)(question),
  ),
  'one-hop': chat(
    'Right where one premise is about subject and predicate (never, from three terms on); else guesses',
    (question, draws) => {
      const { ask } = question.given
      const guess = pick(draws.stream('choice'), choices(question))
      if (ask.kind === 'judge') {
        const [mood, s, p] = ask.conclusion
        return shownPremises(question).some((premise) => premise[0] === mood && premise[1] === s && premise[2] === p)
          ? 'Yes'
          : guess
      }
      const direct = shownPremises(question).find(([, s, p]) => s === ask.subject && p === ask.predicate)
      return direct === undefined ? guess : (choices(question)[moods.indexOf(direct[0])] as string)
    },
  ),
  atmosphere: chat('Particular if any premise is, negative if any is', (question) =>
    (heuristics['atmosphere'] as (q: Question) => string)(question),
  ),
}
