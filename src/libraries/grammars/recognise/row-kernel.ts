import type { RecognitionTables } from './recognition-tables.ts'

/** Longest string whose end positions fit the two 32-bit words of {@link compileRowKernel}. */
export const ROW_KERNEL_LENGTH = 64

/** Membership of the first `n` token numbers of `tokens`, all of them terminals of the grammar, n >= 1. */
export type Kernel = (tokens: ArrayLike<number>, n: number) => boolean

/** The same, or null where the chart fills up so that it is given up. */
export type LightKernel = (tokens: ArrayLike<number>, n: number) => boolean | null

/** Symbols combined, by symbol and token, from which on compiled code is faster, even begun anew (measured). */
export const CROWDED = 0.4

/**
 * Recognition by row propagation on end masks, for strings of at most 64 tokens.
 *
 * `row[i][A]` is the set of ends e such that A derives tokens i..e-1, as two 32-bit words. Starts run from right to
 * left; at one start the ends still to be worked on form a bit mask, taken in ascending order. For each B that ends at
 * k, each C with a row at k and each rule A -> B C, one OR adds `row[k][C]`, all ends at once, to `row[i][A]`. As every
 * end so added lies beyond k, each (A, e) enters a worklist exactly once and is complete when its end is reached. Only
 * rows that were touched are cleared. Where FOLLOW or PRECEDE is sparse, what the neighbouring token forbids is
 * dropped.
 *
 * End e is bit 31 - (e - 1) % 32 of its word: counting leading zeros then finds the least end without the arithmetic
 * negation that leaves the integer range at the sign bit.
 */
export function compileRowKernel(tables: RecognitionTables): LightKernel {
  const { nonterminals: N, terminals: T, setWords, lexFrom, lex } = tables
  const { follow, precede } = tables.adjacency
  const { filterFollow, filterPrecede } = tables
  const W = T + 1
  const low = new Int32Array(ROW_KERNEL_LENGTH * N)
  const high = new Int32Array(ROW_KERNEL_LENGTH * N)
  // items[bit * N ..] lists the symbols that end at bit + 1, for the current start; count[bit] of them.
  const items = new Int32Array(ROW_KERNEL_LENGTH * N)
  const count = new Int32Array(ROW_KERNEL_LENGTH)
  // alive[i * setWords ..]: the set of symbols with a row at start i.
  const alive = new Int32Array(ROW_KERNEL_LENGTH * setWords)
  const touched = new Int32Array(ROW_KERNEL_LENGTH * N)
  let touchedCount = 0
  const patience = Math.ceil(CROWDED * N)

  return (tokens, n) => {
    for (let i = 0; i < touchedCount; i++) {
      const cell = touched[i] as number
      low[cell] = 0
      high[cell] = 0
    }
    touchedCount = 0
    let spare = patience * n
    for (let i = n - 1; i >= 0; i--) {
      const base = i * N
      const before = i === 0 ? T : (tokens[i - 1] as number)
      const after = i + 1 === n ? T : (tokens[i + 1] as number)
      const token = tokens[i] as number
      const { partners, from, left } = i === 0 ? tables.outer : tables.inner
      const here = i * setWords
      for (let word = 0; word < setWords; word++) alive[here + word] = 0
      // Lexical items end at i + 1, which is bit i.
      let held = 0
      for (let at = lexFrom[token] as number; at < (lexFrom[token + 1] as number); at++) {
        const a = lex[at] as number
        if (filterFollow && follow[a * W + after] === 0) continue
        if (filterPrecede && precede[a * W + before] === 0) continue
        if (i < 32) low[base + a] = 1 << (31 - i)
        else high[base + a] = 1 << (63 - i)
        touched[touchedCount++] = base + a
        alive[here + (a >>> 5)] = (alive[here + (a >>> 5)] as number) | (1 << (a & 31))
        items[base + held++] = a
      }
      if (held === 0) return false
      count[i] = held
      let pendingLow = i < 32 ? 1 << (31 - i) : 0
      let pendingHigh = i < 32 ? 0 : 1 << (63 - i)
      while ((pendingLow | pendingHigh) !== 0) {
        let bit: number
        if (pendingLow !== 0) {
          bit = Math.clz32(pendingLow)
          pendingLow ^= 1 << (31 - bit)
        } else {
          bit = 32 + Math.clz32(pendingHigh)
          pendingHigh ^= 1 << (63 - bit)
        }
        const end = bit + 1
        const ending = count[bit] as number
        count[bit] = 0
        if (end === n) continue
        spare -= ending
        if (spare < 0) return null
        const nextRow = end * N
        const next = end * setWords
        const list = bit * N
        for (let item = 0; item < ending; item++) {
          const b = items[list + item] as number
          for (let word = 0; word < setWords; word++) {
            let both = (alive[next + word] as number) & (partners[b * setWords + word] as number)
            while (both !== 0) {
              const lead = Math.clz32(both)
              both ^= 1 << (31 - lead)
              const c = (word << 5) + 31 - lead
              const lowC = low[nextRow + c] as number
              const highC = high[nextRow + c] as number
              const to = from[b * N + c + 1] as number
              for (let rule = from[b * N + c] as number; rule < to; rule++) {
                const a = left[rule] as number
                const cell = base + a
                const oldLow = low[cell] as number
                const oldHigh = high[cell] as number
                let newLow = lowC & ~oldLow
                let newHigh = highC & ~oldHigh
                if ((newLow | newHigh) === 0) continue
                if (filterPrecede && precede[a * W + before] === 0) continue
                let addedLow = 0
                let addedHigh = 0
                while (newLow !== 0) {
                  const e = Math.clz32(newLow)
                  const one = 1 << (31 - e)
                  newLow ^= one
                  if (filterFollow && follow[a * W + (e + 1 === n ? T : (tokens[e + 1] as number))] === 0) continue
                  addedLow |= one
                  const held = count[e] as number
                  items[e * N + held] = a
                  count[e] = held + 1
                }
                while (newHigh !== 0) {
                  const e = 32 + Math.clz32(newHigh)
                  const one = 1 << (63 - e)
                  newHigh ^= one
                  if (filterFollow && follow[a * W + (e + 1 === n ? T : (tokens[e + 1] as number))] === 0) continue
                  addedHigh |= one
                  const held = count[e] as number
                  items[e * N + held] = a
                  count[e] = held + 1
                }
                if ((addedLow | addedHigh) === 0) continue
                if ((oldLow | oldHigh) === 0) {
                  touched[touchedCount++] = cell
                  alive[here + (a >>> 5)] = (alive[here + (a >>> 5)] as number) | (1 << (a & 31))
                }
                low[cell] = oldLow | addedLow
                high[cell] = oldHigh | addedHigh
                pendingLow |= addedLow
                pendingHigh |= addedHigh
              }
            }
          }
        }
      }
    }
    const last = n - 1
    return last < 32
      ? ((low[0] as number) & (1 << (31 - last))) !== 0
      : ((high[0] as number) & (1 << (63 - last))) !== 0
  }
}
