import { type Baseline, type Json, type Question, type Stream, shuffle } from '../../../../core/index.ts'
import type { Rule } from '../../../../libraries/rewriting/index.ts'
import { orderByRules, PLANTED_WEIGHTS } from '../baselines/rules-only.ts'
import type { Scrambled } from '../types.ts'
import { alphabetical, listed } from './choices.ts'

/** Answers that never look at the words: by place, by spelling, by length of the rules. */

type Answerer = (question: Question<Json, Scrambled>) => string
type Order = (rules: readonly Rule[]) => readonly number[]

const numbers: Order = (rules) => [...rules.keys()]

const byNumber =
  (value: (rule: Rule) => number): Order =>
  (rules) =>
    numbers(rules).toSorted((a, b) => value(rules[a] as Rule) - value(rules[b] as Rule) || a - b)

const answerer =
  (order: Order): Answerer =>
  ({ given }) =>
    listed(order(given.rules))

const asShown = answerer(numbers)
const reversed = answerer((rules) => numbers(rules).toReversed())

const rulesOnly = answerer((rules) => orderByRules(rules, PLANTED_WEIGHTS))

export const heuristics = {
  'answerer/as-shown': asShown,
  'answerer/reversed': reversed,
  'answerer/rules-only': rulesOnly,
  'answerer/rotated': answerer((rules) => [...numbers(rules).slice(1), 0]),
  'answerer/alphabetical': answerer(alphabetical),
  'answerer/shortest-left-first': answerer(byNumber(([left]) => left.length)),
  'answerer/longest-left-first': answerer(byNumber(([left]) => -left.length)),
  'answerer/shortest-right-first': answerer(byNumber(([, right]) => right.length)),
  'answerer/longest-right-first': answerer(byNumber(([, right]) => -right.length)),
}

const random = ({ given }: Question<Json, Scrambled>, stream: Stream): string =>
  listed(shuffle(stream, numbers(given.rules)))

export const baselines: { readonly [name: string]: Baseline<Json, Scrambled> } = {
  identity: { kind: 'chat', note: 'the order shown', answer: asShown },
  'rules-only': {
    kind: 'chat',
    note: 'by the spelling of the rules, the words unseen: what planted targets give away',
    answer: rulesOnly,
  },
  reverse: { kind: 'chat', note: 'the order shown, backwards', answer: reversed },
  random: {
    kind: 'chat',
    note: 'any order, each equally likely: what answers by chance score',
    answer: (question, draws) => random(question, draws.stream('order')),
  },
}
