/**
 * A trigram model of the strings of a language, counted from a sample, with one boundary mark at either end. Its scores
 * tell how ordinary a token looks between its neighbours; counts are integers and scores use + * / in a fixed order.
 */
export interface LocalModel {
  /** the number that stands for "outside the string" */
  readonly boundary: number
  /** The chance of b after a: a bigram probability, above 0 for every pair. */
  after(a: number, b: number): number
  /** How likely `a2 a t b b2` is around t: the product of the trigram probabilities that involve t. */
  around(a2: number, a: number, t: number, b: number, b2: number): number
  /** The trigram probability of a whole string over that of uniform tokens; kept within 1e-300 and 1e300. */
  ordinariness(tokens: ArrayLike<number>): number
}

/** Weight of the bigram estimate in a trigram probability, and of the flat estimate in a bigram probability, in counts. */
const BACKOFF = 2
const FLAT = 0.02

/** Count a model from strings over terminals 0..terminals-1. */
export function localModel(strings: Iterable<ArrayLike<number>>, terminals: number): LocalModel {
  const side = terminals + 1
  const single = new Int32Array(side)
  const double = new Int32Array(side * side)
  const triple = counter()
  for (const tokens of strings) {
    const n = tokens.length
    let x = terminals
    for (let i = 0; i <= n; i++) {
      const y = i < n ? tokens[i]! : terminals
      single[x]!++
      double[x * side + y]!++
      if (i < n) triple.add((x * side + y) * side + (i + 1 < n ? tokens[i + 1]! : terminals))
      x = y
    }
  }
  const flat = FLAT * side
  const second = (x: number, y: number) => (double[x * side + y]! + FLAT) / (single[x]! + flat)
  const third = (x: number, y: number, z: number) =>
    (triple.count((x * side + y) * side + z) + BACKOFF * second(y, z)) / (double[x * side + y]! + BACKOFF)
  return {
    boundary: terminals,
    after: second,
    around(a2, a, t, b, b2) {
      const left = a === terminals ? second(a, t) : third(a2, a, t)
      const right = b === terminals ? 1 : third(t, b, b2)
      return left * third(a, t, b) * right
    },
    ordinariness(tokens) {
      const n = tokens.length
      let product = n === 0 ? 1 : second(terminals, tokens[0]!) * side
      for (let i = 1; i <= n; i++) {
        const x = i > 1 ? tokens[i - 2]! : terminals
        product *= third(x, tokens[i - 1]!, i < n ? tokens[i]! : terminals) * side
        product = Math.min(1e300, Math.max(1e-300, product))
      }
      return product
    },
  }
}

/** Counts of safe integers in an open-addressing table. */
function counter() {
  let mask = 1023
  let keys = new Float64Array(mask + 1).fill(-1)
  let counts = new Int32Array(mask + 1)
  let used = 0

  function slot(key: number): number {
    let at = Math.imul(key, 0x9e3779b1) ^ Math.imul(Math.floor(key / 4294967296), 0x85ebca6b)
    at = (at ^ (at >>> 15)) & mask
    while (keys[at] !== key && keys[at] !== -1) at = (at + 1) & mask
    return at
  }

  function grow(): void {
    const oldKeys = keys
    const oldCounts = counts
    mask = mask * 2 + 1
    keys = new Float64Array(mask + 1).fill(-1)
    counts = new Int32Array(mask + 1)
    for (let i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] === -1) continue
      const at = slot(oldKeys[i]!)
      keys[at] = oldKeys[i]!
      counts[at] = oldCounts[i]!
    }
  }

  return {
    add(key: number): void {
      let at = slot(key)
      if (keys[at] === -1) {
        if (++used * 2 > mask) {
          grow()
          at = slot(key)
        }
        keys[at] = key
      }
      counts[at]!++
    },
    count: (key: number): number => counts[slot(key)]!,
  }
}
