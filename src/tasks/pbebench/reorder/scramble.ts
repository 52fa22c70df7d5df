import { type Stream, shuffle } from '../../../core/index.ts'
import { bfccDag, type Classifier, type Rule, replaceAll } from '../../../rewriting/index.ts'
import { corpusOf } from '../sampling/left-sides.ts'

export type Scramble = 'uniform' | 'fb-swap'

/** Shuffles before it is given up that any order changes the outputs. */
const SHUFFLES = 200

/** `permutation[k]`: the original position of the rule now at k; the outputs differ. null: none was found. */
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
  const differs = (order: readonly number[]) =>
    order.reduce((now, k) => replaceAll(now, rules[k] as Rule), start) !== goal
  if (how === 'fb-swap') {
    const swapped = firstSwap(rules, classifier, differs)
    if (swapped !== null) return swapped
  }
  const identity = rules.map((_, k) => k)
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
