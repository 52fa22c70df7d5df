/**
 * A pool of Walker alias tables: many small discrete distributions, each drawn from in constant time. A table is a run
 * of columns; column c keeps its own outcome below `keep[c]` and gives `other[c]` above it.
 */
export interface AliasPool {
  readonly keep: Float64Array
  readonly other: Int32Array
}

/** An empty pool of `columns` columns. */
export function aliasPool(columns: number): AliasPool {
  return { keep: new Float64Array(columns), other: new Int32Array(columns) }
}

/** A builder that writes tables of at most `longest` columns; it owns the scratch space. */
export function aliasBuilder(longest: number) {
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
    for (; larges > 0; larges--) fillColumn(pool, at, large[larges - 1]!)
    // Left here by rounding: a column of no weight at all still must not give its own outcome.
    for (; smalls > 0; smalls--) {
      const column = small[smalls - 1]!
      if (weightAt(column) > 0) fillColumn(pool, at, column)
      else {
        pool.keep[at + column] = 0
        pool.other[at + column] = heaviest
      }
    }
  }
}

function fillColumn(pool: AliasPool, at: number, column: number): void {
  pool.keep[at + column] = 1
  pool.other[at + column] = column
}
