import { chiSquaredUpper } from './distributions/chi-squared.ts'

/** A chi-squared test: its statistic, degrees of freedom and p. */
export interface ChiSquaredTest {
  readonly statistic: number
  readonly df: number
  readonly p: number
  /** Cells expected to hold fewer than five: with many of them p is not to be trusted. */
  readonly thin: number
}

/**
 * Pearson's chi-squared test that the rows of a table of counts come from one distribution (equally, that rows and columns are
 * independent), without continuity correction. Empty rows and columns are left out; null where fewer than two of either remain.
 *
 * @example
 * import { homogeneity } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(homogeneity([[30, 20], [20, 30]])?.statistic) // 4
 */
export function homogeneity(table: readonly (readonly number[])[]): ChiSquaredTest | null {
  const width = table[0]?.length ?? 0
  for (const row of table) {
    if (row.length !== width || row.some((x) => !(x >= 0))) {
      throw new RangeError('a table of counts needs rows of one length and counts >= 0')
    }
  }
  const rows = table.map((row) => row.reduce((sum, x) => sum + x, 0))
  const columns = Array.from({ length: width }, (_, j) => table.reduce((sum, row) => sum + (row[j] as number), 0))
  const total = rows.reduce((sum, x) => sum + x, 0)
  const [height, breadth] = [rows, columns].map((sums) => sums.filter((x) => x > 0).length) as [number, number]
  if (height < 2 || breadth < 2) return null
  let statistic = 0
  let thin = 0
  table.forEach((row, i) => {
    row.forEach((count, j) => {
      const expected = ((rows[i] as number) * (columns[j] as number)) / total
      if (expected === 0) return
      if (expected < 5) thin++
      statistic += (count - expected) ** 2 / expected
    })
  })
  const df = (height - 1) * (breadth - 1)
  return { statistic, df, p: chiSquaredUpper(statistic, df), thin }
}

/**
 * Pearson's goodness of fit of counts to given shares. Throws where a share is 0 but its count is not.
 *
 * @example
 * import { goodnessOfFit } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(goodnessOfFit([30, 20], [0.5, 0.5]).statistic) // 2
 */
export function goodnessOfFit(counts: readonly number[], shares: readonly number[]): ChiSquaredTest {
  if (counts.length !== shares.length) throw new RangeError(`got ${counts.length} counts for ${shares.length} shares`)
  const total = counts.reduce((sum, x) => sum + x, 0)
  const whole = shares.reduce((sum, x) => sum + x, 0)
  let statistic = 0
  let thin = 0
  let used = 0
  counts.forEach((count, i) => {
    const expected = (total * (shares[i] as number)) / whole
    if (expected === 0) {
      if (count > 0) throw new RangeError(`outcome ${i} has share 0 but was seen ${count} times`)
      return
    }
    used++
    if (expected < 5) thin++
    statistic += (count - expected) ** 2 / expected
  })
  return { statistic, df: used - 1, p: chiSquaredUpper(statistic, used - 1), thin }
}
