import { float } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import { type InsideTable, insideWeight } from './inside.ts'

/** Draws strings of a given length from a PCFG conditioned on length, exactly up to the rounding of the inside table. */
export interface StringSampler {
  /**
   * A random string of `length` tokens, with probability proportional to its weight. Throws RangeError when there is none,
   * or none within the table. `trace` gets the symbols of its tree in preorder, those right above a token as -1 - symbol.
   */
  sample(stream: Stream, length: number, trace?: number[]): Int32Array
}

/**
 * A sampler over an inside table. One 53-bit draw per node decides rule and split together: an alias table gives the
 * rule, then the splits of its child pair are scanned from both ends inwards, for most splits are lopsided. No table
 * over splits is built, so a grammar that gives a few hundred strings costs little more than its inside table.
 */
export function stringSampler(table: InsideTable): StringSampler {
  const { index, maxLength, weight, pairWeight } = table
  const { left, right, pairStart, pairs, tokenStart, tokens } = index
  const size = maxLength + 1
  const { rowTables, tokenTables } = ruleTables(table)
  // Pending (symbol, length) cells, the leftmost on top: at most one per token still to be written.
  const symbols = new Int32Array(size + 1)
  const lengths = new Int32Array(size + 1)
  let split = 0

  /** The row of `pairs` under point `draw` of cell (a, n), leaving the split in `split`. */
  function choose(a: number, n: number, draw: number): number {
    const start = pairStart[a]!
    const count = pairStart[a + 1]! - start
    const x = draw * count
    const column = Math.floor(x)
    const at = start * size + n * count + column
    const part = x - column
    const keep = rowTables.keep[at]!
    const own = part < keep
    const row = start + (own ? column : rowTables.other[at]!)
    // What is left of the draw is uniform again, and decides the split.
    let u = (own ? part / keep : (part - keep) / (1 - keep)) * pairWeight[pairs[row]! * size + n]!
    const b = left[pairs[row]!]! * size
    const c = right[pairs[row]!]! * size
    let low = b + 1
    let high = b + n - 1
    let lowOther = c + n - 1
    let highOther = c + 1
    split = 0
    // Rounding may leave a little of u after the last split with weight: then that one is it.
    while (low <= high) {
      let w = weight[low]! * weight[lowOther]!
      if (w > 0) {
        split = low
        if (u < w) break
        u -= w
      }
      if (low === high) break
      w = weight[high]! * weight[highOther]!
      if (w > 0) {
        split = high
        if (u < w) break
        u -= w
      }
      low++
      lowOther--
      high--
      highOther++
    }
    split -= b
    return row
  }

  function chooseToken(a: number, draw: number): number {
    const start = tokenStart[a]!
    const x = draw * (tokenStart[a + 1]! - start)
    const column = Math.floor(x)
    return start + (x - column < tokenTables.keep[start + column]! ? column : tokenTables.other[start + column]!)
  }

  function sample(stream: Stream, length: number, trace?: number[]): Int32Array {
    if (!(insideWeight(table, length) > 0))
      throw new RangeError(
        length > maxLength
          ? `the inside table ends at length ${maxLength}, a string of length ${length} was asked for`
          : `the language has no string of length ${length}`,
      )
    const out = new Int32Array(length)
    let written = 0
    let top = 1
    symbols[0] = 0
    lengths[0] = length
    while (top > 0) {
      top--
      const a = symbols[top]!
      const n = lengths[top]!
      const draw = float(stream)
      trace?.push(n === 1 ? -1 - a : a)
      if (n === 1) {
        const row = chooseToken(a, draw)
        out[written++] = tokens[row]!
        continue
      }
      const row = choose(a, n, draw)
      symbols[top] = right[pairs[row]!]!
      lengths[top++] = n - split
      symbols[top] = left[pairs[row]!]!
      lengths[top++] = split
    }
    return out
  }

  return { sample }
}

/**
 * Alias tables that turn a draw into a rule: over the rows of A at length n from column
 * `pairStart[A] * size + n * rows`, over its tokens from column `tokenStart[A]`.
 */
function ruleTables(table: InsideTable): { rowTables: AliasPool; tokenTables: AliasPool } {
  const { index, maxLength, weight, pairWeight, share } = table
  const { symbols, pairStart, pairs, tokenStart } = index
  const size = maxLength + 1
  const rowTables = aliasPool(pairs.length * size)
  const tokenTables = aliasPool(index.tokens.length)
  const build = aliasBuilder(Math.max(1, pairs.length, index.tokens.length))
  for (let a = 0; a < symbols; a++) {
    const start = pairStart[a]!
    const count = pairStart[a + 1]! - start
    for (let n = 2; n < size; n++)
      if (weight[a * size + n]! > 0)
        build(rowTables, start * size + n * count, count, (i) => share[a]! * pairWeight[pairs[start + i]! * size + n]!)
    const first = tokenStart[a]!
    if (weight[a * size + 1]! > 0) build(tokenTables, first, tokenStart[a + 1]! - first, () => share[a]!)
  }
  return { rowTables, tokenTables }
}

/**
 * A pool of Walker alias tables: many small discrete distributions, each drawn from in constant time. A table is a run
 * of columns; column c keeps its own outcome below `keep[c]` and gives `other[c]` above it.
 */
interface AliasPool {
  readonly keep: Float64Array
  readonly other: Int32Array
}

const aliasPool = (columns: number): AliasPool => ({
  keep: new Float64Array(columns),
  other: new Int32Array(columns),
})

/** A builder that writes tables of at most `longest` columns; it owns the scratch space. */
function aliasBuilder(longest: number) {
  const scaled = new Float64Array(longest)
  const small = new Int32Array(longest)
  const large = new Int32Array(longest)
  /**
   * Write the table of `count` weights `weightAt(0..)` from column `at` of the pool (Vose 1991). Outcomes are
   * 0..count-1; weights are >= 0 with a positive sum. Fixed order of + - * / only.
   */
  return function build(pool: AliasPool, at: number, count: number, weightAt: (i: number) => number): void {
    let total = 0
    let heaviest = 0
    for (let i = 0; i < count; i++) {
      const weight = weightAt(i)
      scaled[i] = weight
      total += weight
      if (weight > scaled[heaviest]!) heaviest = i
    }
    let smalls = 0
    let larges = 0
    for (let i = 0; i < count; i++) {
      const share = (scaled[i]! * count) / total
      scaled[i] = share
      if (share < 1) small[smalls++] = i
      else large[larges++] = i
    }
    while (smalls > 0 && larges > 0) {
      const less = small[--smalls]!
      const more = large[larges - 1]!
      pool.keep[at + less] = scaled[less]!
      pool.other[at + less] = more
      const left = scaled[more]! - (1 - scaled[less]!)
      scaled[more] = left
      if (left < 1) {
        larges--
        small[smalls++] = more
      }
    }
    const fill = (column: number): void => {
      pool.keep[at + column] = 1
      pool.other[at + column] = column
    }
    for (; larges > 0; larges--) fill(large[larges - 1]!)
    // Left here by rounding: a column of no weight at all still must not give its own outcome.
    for (; smalls > 0; smalls--) {
      const column = small[smalls - 1]!
      if (weightAt(column) > 0) fill(column)
      else {
        pool.keep[at + column] = 0
        pool.other[at + column] = heaviest
      }
    }
  }
}
