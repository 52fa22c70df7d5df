import { pick } from '../../../core/random.ts'
import type { AnonymizedQuestion, DeclaredShortcut } from '../../../core/task.ts'
import { distancesFrom, neighbours } from '../../../libraries/graphs/graph.ts'
import { type Chat, chatBy } from '../common/answers.ts'
import { inPromptOrder } from '../common/presentation.ts'
import { answerLine } from '../common/prompt.ts'
import type { Config } from './config.ts'
import { solve } from './oracle.ts'
import { goldText } from './parsers.ts'
import { shownEdges } from './prompt.ts'
import { type Answer, asksFamily, choices, type Given, type Question, type Shared } from './question.ts'

const touches = (question: Question, v: number): number =>
  question.given.edges.filter(([a, b]) => a === v || b === v).length

function bestBy(question: Question, score: (v: number) => number): string {
  const { ask, people } = question.given
  let best = -1
  for (const v of ('among' in ask && ask.kind !== 'hops' ? ask.among : null) ?? people.keys()) {
    if ('from' in ask && v === ask.from) continue
    if (best === -1 || score(v) > score(best)) best = v
  }
  return people[Math.max(0, best)] as string
}

/** A person-based rule; for hops it guesses from how often the two are mentioned. */
const byPerson =
  (score: (question: Question, v: number) => number) =>
  (question: Question): string => {
    const { ask, people } = question.given
    if (ask.kind !== 'hops') return bestBy(question, (v) => score(question, v))
    return score(question, ask.from) + score(question, ask.to) > people.length / 2 ? '1' : '2'
  }

const lastMention = (question: Question, v: number): number =>
  shownEdges(question).findLastIndex(([a, b]) => a === v || b === v)

/** Cheap rules that must not do better than chance; they do not search for paths. */
export const heuristics: { readonly [rule: string]: (question: Question) => string } = {
  alphabetical: byPerson((_, v) => v),
  'mentioned-most': byPerson((question, v) => touches(question, v)),
  'mentioned-last': byPerson(lastMention),
  'mentioned-first': byPerson((question, v) => -shownEdges(question).findIndex(([a, b]) => a === v || b === v)),
  'name-length': byPerson((question, v) => (question.given.people[v] as string).length),
}

const chat = chatBy<Shared, Given, Answer>(goldText)

const neighboursOf = ({ given }: Question, v: number): number[] =>
  given.edges.flatMap(([a, b]) => (a === v ? [b] : b === v && !given.oneWay ? [a] : []))

const name = (question: Question, v: number): string => question.given.people[v] as string

export const baselines: { readonly [name: string]: Chat<Shared, Given> } = {
  oracle: chat('Floyd-Warshall; generation equations', (question) => {
    const found = solve(question)
    return question.given.ask.kind === 'hops' ? found.map(String) : found.map((v) => name(question, v))
  }),
  random: chat('A possible answer, uniformly; for a path, a random walk', (question, draws) => {
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
    note: 'Always Yes: never correct here',
    answer: () => answerLine('Yes'),
  },
  'last-mentioned': chat('The person mentioned last; for a path, sender, that person and target', (question) => {
    const { ask } = question.given
    const last = (heuristics['mentioned-last'] as (q: Question) => string)(question)
    if (ask.kind !== 'path') return [last]
    return [name(question, ask.from), last, name(question, ask.to)]
  }),
  'one-hop': chat('Correct if one statement is about both (needle in a haystack only)', (question, draws) => {
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

/** Shortcuts that a config has on purpose: what an audit of 4,000 or 5,000 items measures, and .03 beside it. */
export function declaredShortcuts(config: Config): readonly DeclaredShortcut[] {
  if (config.ask === 'next-hop') {
    const why = 'a person who passes a message on occurs in two statements or more'
    const local = config.network === 'chain' ? 0.36 : 0.24
    return [...mentions(why, 0.29, [-0.03, 0.18]), { probe: 'local-*', why, gain: [-0.03, local] }]
  }
  if ((config.ask === 'oldest' || config.ask === 'youngest') && config.candidates === 0) {
    const why = 'the members of an outer generation have relatives on one side only, so fewer statements name them'
    return [
      ...mentions(why, 0.28, [-0.19, 0]),
      ...[0, 1].map((level) => ({ probe: `local-${level}/*`, why, gain: [0.3, 0.45] as const })),
      ...[2, 3, 4].map((level) => ({ probe: `local-${level}/*`, why, gain: [0.49, 0.84] as const })),
    ]
  }
  if (config.ask === 'hops') {
    // For a chain of ten in random order 5/6 of its guesses are "1" at one hop and 229/252 elsewhere: a gain of -0.0094.
    const why = 'at one hop both are mentioned last in the same statement'
    const last: DeclaredShortcut = { probe: 'mentioned-last', why, gain: [-0.04, 0] }
    if (config.network === 'chain') return [last]
    const whole = 'a few steps around two people cover much of a small network'
    if (config.passing === 'one-way') {
      const sides = 'who can hand a message to more people is nearer to others'
      return [last, { probe: 'asked/*', why: sides, gain: [0, 0.09] }]
    }
    if (config.network === 'tree')
      return [
        last,
        { probe: 'local-2/*', why: whole, gain: [-0.03, 0.32] },
        ...[3, 4].map((level) => ({ probe: `local-${level}/*`, why: whole, gain: [-0.03, 0.1] as const })),
      ]
    const crowded = 'in a dense network the degrees of two people predict their distance'
    return [
      last,
      { probe: 'local-0/*', why: crowded, gain: [-0.04, 0.05] },
      { probe: 'local-1/*', why: crowded, gain: [-0.03, ['karate', 'given'].includes(config.network) ? 0.56 : 0.17] },
      { probe: 'local-2/*', why: whole, gain: [-0.03, 0.53] },
    ]
  }
  return []
}

/** How often and where a person is mentioned; the bounds are what networks of ten show, where they are largest. */
const mentions = (why: string, most: number, rules: DeclaredShortcut['gain']): readonly DeclaredShortcut[] => [
  ...[
    'candidate/mentions',
    'candidate/first-mention',
    'candidate/last-mention',
    'places/candidate-*',
    'asked/candidate-*',
    'learned/*',
  ].map((probe) => ({ probe, why, gain: [-0.03, most] as const })),
  { probe: 'mentioned-*', why, gain: rules },
]

/** Linked pairs. Candidates for the next hop are the neighbours of the first person. */
export function anonymize({ shared, given }: Question): AnonymizedQuestion {
  const { ask } = given
  const said = {
    kind: 'statements' as const,
    statements: inPromptOrder(shared, given.edges).map((places) => ({ kind: 'linked', places })),
    question: ask.kind,
  }
  switch (ask.kind) {
    case 'hops':
    case 'path':
      return { ...said, asked: [ask.from, ask.to] }
    case 'next-hop': {
      const near = (v: number) =>
        given.edges.some(([a, b]) => (a === ask.from && b === v) || (b === ask.from && a === v))
      const others = given.people.flatMap((_, v) => (v === ask.from ? [] : [near(v) ? v : null]))
      return { ...said, asked: [ask.from, ask.to], candidates: others }
    }
    default:
      return { ...said, asked: [ask.member], ...family(given, ask.member, ask.among) }
  }
}

/**
 * The candidates and the proof radius: a whole family needs the radius of the graph, a few candidates half of the
 * widest gap between them.
 */
function family({ people, edges }: Given, member: number, among: readonly number[] | null) {
  const lists = neighbours({ n: people.length, edges })
  const from = distancesFrom(lists, member)
  const candidates = (among ?? people.map((_, v) => v)).map((v) => ((from[v] as number) >= 0 ? v : null))
  const terms = candidates.filter((v) => v !== null)
  const ways = terms.map((v) => distancesFrom(lists, v))
  const radius =
    among === null
      ? Math.min(...ways.map((steps) => Math.max(...steps)))
      : Math.ceil(widestGap(ways.map((steps) => terms.map((v) => steps[v] as number))) / 2)
  return { candidates, radius }
}

/** The longest step of the shortest tree through all of them, given how far each is from each. */
function widestGap(apart: readonly (readonly number[])[]): number {
  const near = [...(apart[0] ?? [])]
  const out = new Set(near.keys())
  out.delete(0)
  let widest = 0
  while (out.size > 0) {
    const next = [...out].reduce((best, v) => ((near[v] as number) < (near[best] as number) ? v : best))
    widest = Math.max(widest, near[next] as number)
    out.delete(next)
    for (const v of out) near[v] = Math.min(near[v] as number, apart[next]?.[v] as number)
  }
  return widest
}
