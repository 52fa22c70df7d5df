import { type Rule, replaceAll } from '../../../../libraries/rewriting/index.ts'
import { corpusOf } from '../../sampling/left-sides.ts'

/** Up to this length all valid orders are counted; beyond, only whether there is a second one. */
export const COUNTED_UP_TO = 12

/** n!: how many orders n rules have. */
export function factorial(n: number): number {
  let product = 1
  for (let k = 2; k <= n; k++) product *= k
  return product
}

/** Different (rules used, words) states that are looked at. */
const STATES = 200_000

/**
 * How many orders of the rules turn the inputs into the outputs; equal rules count as different. The count goes over
 * states (which rules are used, what the words are now), so orders that meet are counted together. It stops at `most`;
 * null where more than 200,000 states would have to be seen.
 */
export function countOrders(
  inputs: readonly string[],
  outputs: readonly string[],
  rules: readonly Rule[],
  most = Number.POSITIVE_INFINITY,
): number | null {
  const goal = corpusOf(outputs)
  const memory = new Map<string, number>()
  const full = (1 << rules.length) - 1
  let spent = false
  const count = (used: number, now: string): number => {
    if (used === full) return now === goal ? 1 : 0
    const key = `${used} ${now}`
    const known = memory.get(key)
    if (known !== undefined) return known
    if (memory.size >= STATES) {
      spent = true
      return 0
    }
    let sum = 0
    for (let k = 0; k < rules.length && sum < most && !spent; k++)
      if ((used & (1 << k)) === 0) sum += count(used | (1 << k), replaceAll(now, rules[k] as Rule))
    memory.set(key, sum)
    return sum
  }
  const found = count(0, corpusOf(inputs))
  return spent && found < most ? null : Math.min(found, most)
}
