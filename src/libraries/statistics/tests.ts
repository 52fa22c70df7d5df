import { binomialCdf, binomialPmf } from './distributions/binomial.ts'
import { chiSquaredUpper } from './distributions/test-statistics.ts'

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
 * independent), without continuity correction. Empty rows and columns are dropped; null if fewer than two of either remain.
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

/** Two conditions on the same items: how often only one of them was right, and the p values of no difference. */
export interface McNemar {
  /** Right under a only. */
  readonly onlyA: number
  /** Right under b only. */
  readonly onlyB: number
  /** Two-sided exact binomial p value. */
  readonly exact: number
  /** Two-sided mid-p value: exact less the point probability of what was seen. */
  readonly midP: number
}

/**
 * McNemar's test on the discordant pairs, X ~ Binomial(onlyA + onlyB, 1/2). The mid-p value keeps its level in practice where the
 * exact test wastes power (Fagerland, Lydersen and Laake, BMC Med. Res. Methodol. 13:91, 2013). It takes pairs as independent: with
 * clusters read it beside `pairedDifference`.
 *
 * @example
 * import { mcnemar } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(mcnemar(8, 2).exact.toFixed(4)) // 0.1094
 */
export function mcnemar(onlyA: number, onlyB: number): McNemar {
  if (!Number.isInteger(onlyA) || !Number.isInteger(onlyB) || onlyA < 0 || onlyB < 0) {
    throw new RangeError(`McNemar's test needs two counts, got ${onlyA} and ${onlyB}`)
  }
  const n = onlyA + onlyB
  const smaller = Math.min(onlyA, onlyB)
  const tail = binomialCdf(smaller, n, 0.5)
  if (onlyA === onlyB) return { onlyA, onlyB, exact: 1, midP: 1 }
  return { onlyA, onlyB, exact: Math.min(1, 2 * tail), midP: Math.min(1, 2 * tail - binomialPmf(smaller, n, 0.5)) }
}

/**
 * {@link mcnemar} of two lists of 0 and 1 (or booleans) on the same items.
 *
 * @example
 * import { mcnemarOf } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(mcnemarOf([1, 1, 0], [1, 0, 0]).onlyA) // 1
 */
export function mcnemarOf(a: ArrayLike<number | boolean>, b: ArrayLike<number | boolean>): McNemar {
  if (a.length !== b.length) throw new RangeError(`paired values need the same length, got ${a.length} and ${b.length}`)
  let onlyA = 0
  let onlyB = 0
  for (let i = 0; i < a.length; i++) {
    const x = Number(a[i])
    const y = Number(b[i])
    if ((x !== 0 && x !== 1) || (y !== 0 && y !== 1)) {
      throw new RangeError(`McNemar's test needs right (1) or wrong (0), got ${a[i]} and ${b[i]} at ${i}`)
    }
    if (x > y) onlyA++
    else if (y > x) onlyB++
  }
  return mcnemar(onlyA, onlyB)
}

/**
 * Holm's step-down adjusted p values, in the order given: reject where the adjusted value is at most alpha, and the chance of
 * any false rejection is at most alpha (Holm, Scand. J. Statist. 6, 1979). p_(i) becomes max_{j <= i} min(1, (m - j + 1) p_(j)).
 *
 * @example
 * import { holm } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(holm([0.01, 0.04, 0.03])) // [ 0.03, 0.06, 0.06 ]
 */
export function holm(p: readonly number[]): number[] {
  for (const value of p) if (!(value >= 0 && value <= 1)) throw new RangeError(`a p value lies in 0..1, got ${value}`)
  const order = p.map((_, i) => i).sort((i, j) => (p[i] as number) - (p[j] as number) || i - j)
  const adjusted = p.map(() => 1)
  let running = 0
  order.forEach((at, rank) => {
    running = Math.max(running, Math.min(1, (p.length - rank) * (p[at] as number)))
    adjusted[at] = running
  })
  return adjusted
}
