import { below, float, type Stream, shuffle } from '../../../src/core/index.ts'
import { binomialPmf } from '../../../src/libraries/statistics/distributions/binomial.ts'
import { incompleteGamma } from '../../../src/libraries/statistics/distributions/special-functions.ts'
import { normalTwoSided } from '../../../src/libraries/statistics/index.ts'

/** Two-sided tests of randomness: each gives a name and a p value. */
export interface Verdict {
  readonly test: string
  readonly p: number
}

const twoSided = (lower: number, upper: number): number => Math.min(1, 2 * Math.min(lower, upper))

function chiSquared(test: string, counts: ArrayLike<number>, expected: (cell: number) => number): Verdict {
  let x = 0
  for (let cell = 0; cell < counts.length; cell++)
    x += ((counts[cell] as number) - expected(cell)) ** 2 / expected(cell)
  const df = counts.length - 1
  const { lower, upper } = incompleteGamma(df / 2, x / 2)
  return { test, p: twoSided(lower, upper) }
}

const uniform = (test: string, counts: ArrayLike<number>, draws: number): Verdict =>
  chiSquared(test, counts, () => draws / counts.length)

/** Pearson correlation of two lists of words, as a z of the independence hypothesis. */
function correlation(test: string, a: Uint32Array, b: Uint32Array): Verdict {
  const n = a.length
  const mean = (words: Uint32Array) => words.reduce((sum, word) => sum + word, 0) / n
  const [meanA, meanB] = [mean(a), mean(b)]
  let [ab, aa, bb] = [0, 0, 0]
  for (let i = 0; i < n; i++) {
    const x = (a[i] as number) - meanA
    const y = (b[i] as number) - meanB
    ab += x * y
    aa += x * x
    bb += y * y
  }
  return { test, p: normalTwoSided((ab / Math.sqrt(aa * bb)) * Math.sqrt(n)) }
}

function bits(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555)
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
  return (((x + (x >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
}

/** The first draw of stream 0, 1, 2, ...: each byte, neighbours, and collisions. Seven tests. */
export function acrossStreams(first: Uint32Array): Verdict[] {
  const n = first.length
  const bytes = [0, 8, 16, 24].map((shift) => {
    const counts = new Uint32Array(256)
    for (const word of first) {
      const byte = (word >>> shift) & 255
      counts[byte] = (counts[byte] as number) + 1
    }
    return uniform(`byte at bit ${shift}`, counts, n)
  })
  // The tails of Binomial(32, 1/2) are pooled where fewer than five are expected.
  const [low, high] = [5, 27]
  const distances = new Uint32Array(high - low + 1)
  for (let i = 1; i < n; i++) {
    const distance = Math.min(high, Math.max(low, bits(((first[i - 1] as number) ^ (first[i] as number)) >>> 0)))
    distances[distance - low] = (distances[distance - low] as number) + 1
  }
  const expected = (cell: number): number => {
    const [from, to] = [cell === 0 ? 0 : low + cell, cell === high - low ? 32 : low + cell]
    let sum = 0
    for (let k = from; k <= to; k++) sum += binomialPmf(k, 32, 0.5)
    return sum * (n - 1)
  }
  const sorted = first.slice().sort()
  let collisions = 0
  for (let i = 1; i < n; i++) if (sorted[i] === sorted[i - 1]) collisions++
  const mean = (n * (n - 1)) / 2 / 2 ** 32
  // Poisson: P(X >= c) and P(X <= c).
  const atLeast = collisions === 0 ? 1 : incompleteGamma(collisions, mean).lower
  const atMost = incompleteGamma(collisions + 1, mean).upper
  return [
    ...bytes,
    chiSquared('Hamming distance of neighbours', distances, expected),
    correlation('correlation of neighbours', first.subarray(1), first.subarray(0, n - 1)),
    { test: 'birthday collisions', p: twoSided(atMost, atLeast) },
  ]
}

/** The same positions of two namespaces. Two tests. */
export function betweenNamespaces(name: string, a: Uint32Array, b: Uint32Array): Verdict[] {
  let equal = 0
  for (let i = 0; i < a.length; i++) if ((((a[i] as number) ^ (b[i] as number)) & 255) === 0) equal++
  const n = a.length
  const z = (equal - n / 256) / Math.sqrt((n / 256) * (255 / 256))
  return [correlation(`${name}: correlation`, a, b), { test: `${name}: equal low bytes`, p: normalTwoSided(z) }]
}

/** One long sequence: bounded integers, shuffles, pairs that follow one another, the mean of floats. Nine tests. */
export function insideSequence(name: string, stream: Stream, size: number): Verdict[] {
  const bounded = [2, 3, 7, 10, 100, 1000].map((k) => {
    const counts = new Uint32Array(k)
    for (let i = 0; i < size; i++) {
      const value = below(stream, k)
      counts[value] = (counts[value] as number) + 1
    }
    return uniform(`${name}: below(${k})`, counts, size)
  })
  const orders = new Map<string, number>()
  const shuffles = Math.floor(size / 4)
  for (let i = 0; i < shuffles; i++) {
    const order = shuffle(stream, [0, 1, 2, 3, 4]).join('')
    orders.set(order, (orders.get(order) ?? 0) + 1)
  }
  const shuffled = [...orders.values(), ...new Array<number>(120 - orders.size).fill(0)]
  const pairs = new Uint32Array(4096)
  for (let i = 0; i < size; i++) {
    const cell = (stream.u32() >>> 26) * 64 + (stream.u32() >>> 26)
    pairs[cell] = (pairs[cell] as number) + 1
  }
  let sum = 0
  for (let i = 0; i < size; i++) sum += float(stream)
  return [
    ...bounded,
    uniform(`${name}: five-element shuffles`, shuffled, shuffles),
    uniform(`${name}: serial pairs`, pairs, size),
    { test: `${name}: mean of floats`, p: normalTwoSided((sum / size - 0.5) * Math.sqrt(12 * size)) },
  ]
}
