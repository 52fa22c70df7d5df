import { type Stream, shuffle } from '../../../core/index.ts'
import { bfccDag, type Classifier, type Rule, replaceAll } from '../../../libraries/rewriting/index.ts'
import { corpusOf } from '../sampling/left-sides.ts'

export type Scramble = 'uniform' | 'published'

/** Maximum shuffles until an order changes the outputs. */
const SHUFFLES = 200

/**
 * The order shown: `permutation[k]` is the original position of the rule now at k. null: no order has other outputs.
 *
 * `uniform` takes each order with equal probability, valid or not, so positions alone give no more than chance.
 * `published` shows an order with other outputs: the first exchange of two related rules that matters, else a shuffle.
 */
export function scramble(
  stream: Stream,
  inputs: readonly string[],
  outputs: readonly string[],
  rules: readonly Rule[],
  how: Scramble,
  classifier: Classifier,
): readonly number[] | null {
  const start = corpusOf(inputs)
  const goal = corpusOf(outputs)
  const identity = rules.map((_, k) => k)
  const differs = (order: readonly number[]) =>
    order.reduce((now, k) => replaceAll(now, rules[k] as Rule), start) !== goal
  const wrong = shuffledUntil(stream, identity, differs)
  if (how === 'published') return firstSwap(rules, classifier, differs) ?? wrong
  return wrong === null ? null : shuffle(stream, identity)
}

function shuffledUntil(
  stream: Stream,
  identity: readonly number[],
  differs: (order: readonly number[]) => boolean,
): readonly number[] | null {
  for (let tries = 0; tries < SHUFFLES; tries++) {
    const order = shuffle(stream, identity)
    if (differs(order)) return order
  }
  return null
}

/** The published heuristic: walk the feeding and bleeding edges, exchange each pair once, keep the first that matters. */
export function firstSwap(
  rules: readonly Rule[],
  classifier: Classifier,
  differs: (order: readonly number[]) => boolean,
): readonly number[] | null {
  const tried = new Set<string>()
  for (const [from, labels, to] of bfccDag(rules, classifier)) {
    if (labels[0] === 'N') continue
    const pair = `${Math.min(from, to)} ${Math.max(from, to)}`
    if (tried.has(pair)) continue
    tried.add(pair)
    const order = rules.map((_, k) => (k === from ? to : k === to ? from : k))
    if (differs(order)) return order
  }
  return null
}

export function inverse(permutation: readonly number[]): readonly number[] {
  const out = permutation.map(() => 0)
  for (const [k, original] of permutation.entries()) out[original] = k
  return out
}
