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
