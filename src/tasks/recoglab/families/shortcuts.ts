import { coin, pick } from '../../../core/random.ts'
import type { DeclaredShortcut, RandomStreams } from '../../../core/task.ts'
import { hobbies } from '../../../libraries/language/people.ts'
import { type Chat, chatBy, goldLine } from '../common/answers.ts'
import type { Config } from './config.ts'
import { solve } from './oracle.ts'
import { choices, type Given, type Question, type Shared } from './question.ts'

/** A rule over the two candidates by position; for other questions one of the first two choices. */
const ofTwo =
  (secondWins: (one: string, two: string, question: Question) => boolean) =>
  (question: Question): string => {
    const all = choices(question)
    if (all.length === 0) return 'N/A'
    const [one = '', two = ''] = all
    return secondWins(one, two, question) ? two : one
  }

/** Cheap rules that must not do better than chance. */
export const heuristics: { readonly [rule: string]: (question: Question) => string } = {
  'first-named': ofTwo(() => false),
  'second-named': ofTwo(() => true),
  alphabetical: ofTwo((one, two) => two < one),
  'longer-name': ofTwo((one, two) => two.length > one.length),
  'later-record': ofTwo((_, __, { given: { ask } }) => {
    const [a, b] = ask.kind === 'larger' ? ask.families : ask.kind === 'older' ? ask.people.map(([f]) => f) : [0, 0]
    return (b as number) > (a as number)
  }),
}

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
    'The possible answer named last in the question',
    (question) => choices(question).at(-1) ?? 'N/A',
  ),
  'one-hop': chat('Correct if one record decides (needle in a haystack only), else random', (question, draws) => {
    const { kind } = question.given.ask
    return kind === 'size' || kind === 'hobby' ? solve(question) : guess(question, draws)
  }),
}

/** Shortcuts that a config has on purpose. */
export function declaredShortcuts(config: Config): readonly DeclaredShortcut[] {
  if (config.ask !== 'shared-hobbies') return []
  const why = 'one pair in five shares no hobby, and N/A answers all of those'
  // 1/5 of all answers, less the 1 % that a free answer may earn by chance.
  const probes = ['answerer/most-frequent', 'answerer/best-constant', ...Object.keys(heuristics)]
  return probes.map((probe) => ({ probe, why, gain: [0.18, 0.2] }))
}
