import { pick } from '../../../../core/random.ts'
import { type Chat, chatBy } from '../../common/chat.ts'
import { answerLine } from '../../common/styles.ts'
import { goldText } from '../parsers.ts'
import { type Answer, asksFamily, choices, type Given, type Question, type Shared } from '../question.ts'
import { solve } from '../truth/oracle.ts'
import { heuristics } from './heuristics.ts'

const chat = chatBy<Shared, Given, Answer>(goldText)

const neighboursOf = ({ given }: Question, v: number): number[] =>
  given.edges.flatMap(([a, b]) => (a === v ? [b] : b === v && !given.oneWay ? [a] : []))

const name = (question: Question, v: number): string => question.given.people[v] as string

export const baselines: { readonly [name: string]: Chat<Shared, Given> } = {
  oracle: chat('Floyd-Warshall; generation equations', (question) => {
    const found = solve(question)
    return question.given.ask.kind === 'hops' ? found.map(String) : found.map((v) => name(question, v))
  }),
  random: chat('A possible answer, uniformly; for a way, a random walk', (question, draws) => {
    const stream = draws.stream('choice')
    const { ask } = question.given
    if (ask.kind !== 'path') return [pick(stream, choices(question))]
    const walk = [ask.from]
    while (walk.at(-1) !== ask.to && walk.length < 2 * question.given.people.length) {
      const next = neighboursOf(question, walk.at(-1) as number)
      if (next.length === 0) break
      walk.push(pick(stream, next))
    }
    return walk.map((v) => name(question, v))
  }),
  yes: {
    kind: 'chat',
    note: 'Always Yes, whatever is asked: never right here',
    answer: () => answerLine('Yes'),
  },
  'last-mentioned': chat('Whoever is mentioned last; for a way, sender, that person and target', (question) => {
    const { ask } = question.given
    const last = (heuristics['mentioned-last'] as (q: Question) => string)(question)
    if (ask.kind !== 'path') return [last]
    return [name(question, ask.from), last, name(question, ask.to)]
  }),
  'one-hop': chat('Right where the two stand in one statement (needle in a haystack only)', (question, draws) => {
    const { ask } = question.given
    const stream = draws.stream('choice')
    if (asksFamily(ask)) return [pick(stream, choices(question))]
    const near = neighboursOf(question, ask.from)
    if (near.includes(ask.to)) {
      if (ask.kind === 'hops') return ['1']
      return ask.kind === 'path' ? [name(question, ask.from), name(question, ask.to)] : [name(question, ask.to)]
    }
    const guess = near.length === 0 ? ask.to : pick(stream, near)
    if (ask.kind === 'hops') return [pick(stream, choices(question))]
    return ask.kind === 'path' ? [ask.from, guess, ask.to].map((v) => name(question, v)) : [name(question, guess)]
  }),
}
