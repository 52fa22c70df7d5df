import { solvedByOneRule } from './multiplicity.ts'
import type { Examples } from './types.ts'

/**
 * A lower bound on the rules of every cascade with these outputs. A rule changes the letter counts of a word by the
 * same amounts each time it fires (right side minus left side). So the matrix of changes (words by letters) is (firings
 * per word) times (change per rule), and its rank is at most the number of rules. The bound is 2 where words differ and
 * no single rule does it.
 *
 * The rank is taken modulo a prime, which can only lower it.
 */
export function lowerBound({ inputs, outputs }: Pick<Examples, 'inputs' | 'outputs'>, side: number): number {
  if (inputs.every((word, i) => word === outputs[i])) return 0
  const letters = [...new Set([...inputs, ...outputs].flatMap((word) => [...word]))]
  const rows: Independent[] = []
  for (const [i, word] of inputs.entries()) {
    if (word === outputs[i]) continue
    const row = independentOf(rows, letterChanges(letters, word, outputs[i] as string))
    if (row !== null) rows.push(row)
  }
  if (rows.length > 1) return rows.length
  return solvedByOneRule({ inputs, outputs }, side) ? 1 : 2
}

/** How many more of each letter the second text has. */
export function letterChanges(letters: readonly string[], before: string, after: string): readonly number[] {
  const changes = new Map<string, number>()
  for (const letter of before) changes.set(letter, (changes.get(letter) ?? 0) - 1)
  for (const letter of after) changes.set(letter, (changes.get(letter) ?? 0) + 1)
  return letters.map((letter) => changes.get(letter) ?? 0)
}

/** A prime whose products stay exact in 32 bits and more. */
const PRIME = 65_521

/** A vector that is independent of those before it modulo a prime, and so over the rationals: reduced by them, 1 at its pivot. */
export interface Independent {
  readonly pivot: number
  readonly values: readonly number[]
}

/** What a vector of integers adds to independent ones, in the order in which they were made; null: nothing. */
export function independentOf(before: readonly Independent[], vector: readonly number[]): Independent | null {
  const rest = vector.map((x) => ((x % PRIME) + PRIME) % PRIME)
  for (const { pivot, values } of before) {
    const factor = rest[pivot] as number
    if (factor === 0) continue
    for (let k = pivot; k < rest.length; k++)
      rest[k] = ((rest[k] as number) + (PRIME - factor) * (values[k] as number)) % PRIME
  }
  const pivot = rest.findIndex((x) => x !== 0)
  if (pivot === -1) return null
  const inverse = inverseOf(rest[pivot] as number)
  return { pivot, values: rest.map((x) => (x * inverse) % PRIME) }
}

/** By the extended Euclidean algorithm. */
function inverseOf(x: number): number {
  let [high, low, a, b] = [PRIME, x, 0, 1]
  while (low !== 1) {
    const times = Math.floor(high / low)
    ;[high, low, a, b] = [low, high - times * low, b, a - times * b]
  }
  return ((b % PRIME) + PRIME) % PRIME
}
