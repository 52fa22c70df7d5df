import { BLEEDS, FEEDS, type Rule, relate } from '../../../libraries/rewriting/index.ts'

/**
 * A learner that sees only the rules and the order shown: a logistic model of "this rule runs before that one". It
 * measures how much the choice of targets reveals; for uniform targets that is nothing.
 */

/** Features of `a` before `b`; the exchanged pair has the negatives. */
function pairFeatures(a: Rule, b: Rule): readonly number[] {
  const there = ruleFeatures(a, b)
  return ruleFeatures(b, a).map((back, k) => (there[k] as number) - back)
}

const test = relate('exact')

function ruleFeatures(a: Rule, b: Rule): readonly number[] {
  const [left, right] = a
  const bits = test(a, b[0])
  return [
    Number(left !== b[0] && left.includes(b[0])),
    Number(right.includes(b[0])),
    Number(b[0].includes(right)),
    Number(right !== b[1] && right.includes(b[1])),
    Number(overlap(right, b[0])),
    Number([...right].some((letter) => b[0].includes(letter))),
    Number([...left].some((letter) => b[1].includes(letter))),
    Number((bits & FEEDS) !== 0),
    Number((bits & BLEEDS) !== 0),
    left.length,
    right.length,
    Number(left < b[0]),
    Number(right < b[1]),
  ]
}

const overlap = (a: string, b: string): boolean =>
  Array.from({ length: Math.min(a.length, b.length) }, (_, k) => k + 1).some(
    (n) => a.endsWith(b.slice(0, n)) || b.endsWith(a.slice(0, n)),
  )

/** Weights of the pair features, and one for the order shown. */
type Weights = readonly number[]

const rowOf = (rules: readonly Rule[], i: number, j: number): readonly number[] => [
  ...pairFeatures(rules[i] as Rule, rules[j] as Rule),
  i < j ? 1 : -1,
]

/** Rules as shown, and a valid order. */
export interface SolvedExample {
  readonly rules: readonly Rule[]
  readonly order: readonly number[]
}

const ROUNDS = 60
const RATE = 0.5

/** Weights by gradient ascent on the penalised likelihood of the given orders, every pair of rules one case. */
export function fitRulesOnly(solved: readonly SolvedExample[]): Weights {
  const cases = solved.flatMap(({ rules, order }) =>
    order.flatMap((i, at) => order.slice(at + 1).map((j) => rowOf(rules, i, j))),
  )
  const size = cases[0]?.length ?? 0
  const weights = new Float64Array(size)
  for (let round = 0; round < ROUNDS; round++) {
    const slope = new Float64Array(size)
    for (const row of cases) {
      const missing = 1 / (1 + Math.exp(score(weights, row)))
      for (let k = 0; k < size; k++) slope[k] = (slope[k] as number) + missing * (row[k] as number)
    }
    for (let k = 0; k < size; k++)
      weights[k] = (weights[k] as number) + RATE * ((slope[k] as number) / cases.length - 1e-3 * (weights[k] as number))
  }
  return [...weights]
}

function score(weights: ArrayLike<number>, row: readonly number[]): number {
  let sum = 0
  for (const [k, value] of row.entries()) sum += (weights[k] as number) * value
  return sum
}

/**
 * Fitted to planted targets (5,000 items of `pbebench-perm` with `target: planted`), where they are right in 55 % and chance is 37 %:
 * a left side that holds another goes first, what is made before what is made into it.
 */
export const PLANTED_WEIGHTS: Weights = [
  0.59, 0.02, 0.27, 0, 0.2, 0.01, -0.01, 0.17, -0.16, 0.26, -0.01, -0.01, -0.02, -0.04,
]

/** The rules by how much each wants to run before the others. */
export function orderByRules(rules: readonly Rule[], weights: Weights): readonly number[] {
  const numbers = [...rules.keys()]
  const wants = numbers.map((i) =>
    numbers.reduce((sum, j) => (i === j ? sum : sum + Math.tanh(score(weights, rowOf(rules, i, j)) / 2)), 0),
  )
  return numbers.toSorted((i, j) => (wants[j] as number) - (wants[i] as number) || i - j)
}
