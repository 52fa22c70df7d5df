import {
  type Baseline,
  type DeclaredShortcut,
  type Json,
  type Question,
  type Stream,
  shuffle,
} from '../../../core/index.ts'
import type { Rule } from '../../../libraries/rewriting/index.ts'
import { orderByRules, PLANTED_WEIGHTS } from './baselines-rules-only.ts'
import type { Config } from './config.ts'
import type { Scrambled } from './types.ts'

/** Answers that ignore the words: by position, spelling or length of the rules. */

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
    answerText(order(given.rules))

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
  answerText(shuffle(stream, numbers(given.rules)))

export const baselines: { readonly [name: string]: Baseline<Json, Scrambled> } = {
  identity: { kind: 'chat', note: 'the order shown', answer: asShown },
  'rules-only': {
    kind: 'chat',
    note: 'orders the rules by their spelling, without the words',
    answer: rulesOnly,
  },
  reverse: { kind: 'chat', note: 'the order shown, reversed', answer: reversed },
  random: {
    kind: 'chat',
    note: 'a uniformly random order',
    answer: (question, draws) => random(question, draws.stream('order')),
  },
}

/** Orders of more rules than this are not listed: 6 rules have 720. */
const LISTED_UP_TO = 5

/** An order as a response gives it. */
export const answerText = (order: readonly number[]): string => `\`\`\`json\n[${order.join(', ')}]\n\`\`\``

/** The rule numbers sorted by left and right side, in code units; equal rules in the order shown. */
function alphabetical(rules: readonly Rule[]): readonly number[] {
  const texts = rules.map(([left, right]) => `${left} ${right}`)
  return [...rules.keys()].sort((a, b) => compare(texts[a] as string, texts[b] as string) || a - b)
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * All orders of up to five rules, none for more, sorted by the texts of the rules, so that the position of a choice
 * depends on the rules only.
 */
export function allOrders(rules: readonly Rule[]): readonly (readonly number[])[] {
  if (rules.length > LISTED_UP_TO) return []
  const grow = (order: readonly number[], rest: readonly number[]): readonly (readonly number[])[] =>
    rest.length === 0
      ? [order]
      : rest.flatMap((k) =>
          grow(
            [...order, k],
            rest.filter((other) => other !== k),
          ),
        )
  return grow([], alphabetical(rules))
}

/** Expected gains of answers that ignore the words. Orders of up to five rules are compared with exact chance. */
export const declaredShortcuts = ({ target, scramble, lengths }: Config): readonly DeclaredShortcut[] => [
  ...(target === 'planted' && scramble === 'published' ? ofPlanted : []),
  ...(scramble === 'published' ? ofWrongOrder : []),
  ...(lengths.some((length) => length > LISTED_UP_TO) ? ofChance : []),
]

const ofWrongOrder: readonly DeclaredShortcut[] = [
  {
    probe: '*',
    why: 'the published order shown is one exchange away from a correct order',
    gain: [-0.6, 0.6],
  },
]

const ofPlanted: readonly DeclaredShortcut[] = [
  {
    probe: 'answerer/rules-only',
    why: 'every rule of a planted order changes a word, so short left sides seldom precede longer ones that contain them',
    gain: [0, 0.35],
  },
]

/** Orders of more rules are not listed: their answers are measured against 0.01 instead of against chance. */
const ofChance: readonly DeclaredShortcut[] = [
  ...Object.keys(heuristics),
  'answerer/most-frequent',
  'answerer/best-constant',
].map(
  (probe): DeclaredShortcut => ({
    probe,
    why: 'several orders work: a random answer is correct with the probability in the feature `chance`',
    gain: [0, 0.6],
  }),
)
