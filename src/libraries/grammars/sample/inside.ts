import { type Cnf, indexRules, type RuleIndex } from '../grammar/cnf.ts'

/**
 * Inside weights by length, every rule of a symbol as likely as any other (RELIC): `weight[A * (maxLength + 1) + n]` times 2^(scale * n) is the summed weight of all
 * derivation trees of A over n tokens. `pairWeight` has the same for the child pairs of {@link RuleIndex}.
 *
 * Only + and * in a fixed order and power-of-two scaling are used, so the bits are the same on every platform; the
 * relative error of a cell is at most 2^-53 times the number of operations behind it.
 */
export interface InsideTable {
  readonly index: RuleIndex
  readonly maxLength: number
  readonly scale: number
  readonly weight: Float64Array
  readonly pairWeight: Float64Array
  /** By symbol: the probability of each of its rules. */
  readonly share: Float64Array
}

/** Compute the inside weights of all (symbol, length) cells up to `maxLength`, in O(maxLength^2 x distinct child pairs). */
export function insideTable(grammar: Cnf, maxLength: number): InsideTable {
  if (!Number.isSafeInteger(maxLength) || maxLength < 1)
    throw new RangeError(`insideTable needs a maximal length >= 1, got ${maxLength}`)
  const index = indexRules(grammar)
  /** Every rule of a symbol is as likely as any other. */
  const share = Float64Array.from(
    { length: index.symbols },
    (_, a) => 1 / (index.pairStart[a + 1]! - index.pairStart[a]! + (index.tokenStart[a + 1]! - index.tokenStart[a]!)),
  )
  const table = {
    index,
    maxLength,
    weight: new Float64Array(index.symbols * (maxLength + 1)),
    pairWeight: new Float64Array(index.left.length * (maxLength + 1)),
    share,
  }
  // Weights grow or shrink by a factor per token. When the start symbol leaves the comfortable range, its exponent per
  // token so far becomes the scale and the table is computed again.
  let scale = 0
  for (let attempt = 0; attempt < 8; attempt++) {
    const step = fill(table, scale)
    if (step === 0) return { ...table, scale }
    scale += step
  }
  throw new RangeError(`inside weights up to length ${maxLength} do not fit doubles at any scale; use a shorter length`)
}

const COMFORT = 800

/** Fill the tables at one scale. Returns 0, or by how much the scale must change. */
function fill(table: Omit<InsideTable, 'scale'>, scale: number): number {
  const { index, maxLength, weight, pairWeight, share } = table
  const { symbols, left, right, pairs, pairStart, tokenStart } = index
  const size = maxLength + 1
  const unit = powerOfTwo(-scale)
  weight.fill(0)
  pairWeight.fill(0)
  const shortest = new Int32Array(symbols).fill(size)
  for (let a = 0; a < symbols; a++) {
    let sum = 0
    for (let r = tokenStart[a]!; r < tokenStart[a + 1]!; r++) sum += share[a]!
    weight[a * size + 1] = sum * unit
    if (sum > 0) shortest[a] = 1
  }
  for (let n = 2; n <= maxLength; n++) {
    for (let p = 0; p < left.length; p++)
      pairWeight[p * size + n] = convolve(weight, left[p]!, right[p]!, n, size, shortest)
    let largest = 0
    for (let a = 0; a < symbols; a++) {
      let sum = 0
      for (let r = pairStart[a]!; r < pairStart[a + 1]!; r++) sum += share[a]! * pairWeight[pairs[r]! * size + n]!
      if (sum > 0 && n < shortest[a]!) shortest[a] = n
      weight[a * size + n] = sum
      if (sum > largest) largest = sum
    }
    const start = weight[n]!
    const exponent = exponentOf(start > 0 ? start : largest)
    if (largest === Infinity) return Math.ceil(1000 / n)
    if (largest > 0 && (exponent > COMFORT || exponent < -COMFORT))
      return Math.round(exponent / n) || Math.sign(exponent)
  }
  return 0
}

/** The weight of child pair (B, C) over n tokens: the sum over k of B's over k times C's over n - k, four chains. */
function convolve(weight: Float64Array, b: number, c: number, n: number, size: number, shortest: Int32Array): number {
  let left = b * size + shortest[b]!
  let right = c * size + n - shortest[b]!
  const last = b * size + n - shortest[c]!
  let s0 = 0
  let s1 = 0
  let s2 = 0
  let s3 = 0
  for (; left + 3 <= last; left += 4, right -= 4) {
    s0 += weight[left]! * weight[right]!
    s1 += weight[left + 1]! * weight[right - 1]!
    s2 += weight[left + 2]! * weight[right - 2]!
    s3 += weight[left + 3]! * weight[right - 3]!
  }
  for (; left <= last; left++, right--) s0 += weight[left]! * weight[right]!
  return s0 + s1 + (s2 + s3)
}

const view = new DataView(new ArrayBuffer(8))

/** The binary exponent of a finite double: 2^e <= x < 2^(e + 1) (-1023 for zero and subnormals). */
function exponentOf(x: number): number {
  view.setFloat64(0, x)
  return ((view.getUint32(0) >>> 20) & 0x7ff) - 1023
}

/** 2^e exactly, for -1022 <= e <= 1023. */
export function powerOfTwo(e: number): number {
  if (e < -1022 || e > 1023) throw new RangeError(`2^${e} is outside the doubles`)
  view.setUint32(0, (e + 1023) << 20)
  view.setUint32(4, 0)
  return view.getFloat64(0)
}

/** The scaled inside weight of symbol `a` (default: the start symbol) over `n` tokens; 0 past the table. */
export function insideWeight(table: InsideTable, n: number, a = 0): number {
  return n >= 1 && n <= table.maxLength ? table.weight[a * (table.maxLength + 1) + n]! : 0
}
