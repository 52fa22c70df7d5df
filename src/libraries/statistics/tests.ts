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

/** A two-sample test of one distribution: the distance in 0..1 and its p. */
export interface KolmogorovSmirnov {
  /** Largest distance between the two empirical distribution functions. */
  readonly statistic: number
  /** Two-sided, asymptotic; too large (safe) for tied values. */
  readonly p: number
}

/**
 * Two-sample Kolmogorov-Smirnov test. Both samples must hold something.
 *
 * @example
 * import { kolmogorovSmirnov } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(kolmogorovSmirnov([1, 2, 3, 4], [3, 4, 5, 6]).statistic) // 0.5
 */
export function kolmogorovSmirnov(a: ArrayLike<number>, b: ArrayLike<number>): KolmogorovSmirnov {
  if (a.length === 0 || b.length === 0) throw new RangeError('a two-sample test needs values in both samples')
  const x = Float64Array.from(a).sort()
  const y = Float64Array.from(b).sort()
  let [i, j, statistic] = [0, 0, 0]
  while (i < x.length && j < y.length) {
    const at = Math.min(x[i] as number, y[j] as number)
    while (i < x.length && (x[i] as number) <= at) i++
    while (j < y.length && (y[j] as number) <= at) j++
    statistic = Math.max(statistic, Math.abs(i / x.length - j / y.length))
  }
  const effective = (x.length * y.length) / (x.length + y.length)
  return { statistic, p: kolmogorovUpper(Math.sqrt(effective) * statistic) }
}

/**
 * P(K > x) of Kolmogorov's distribution: 2 sum (-1)^(k-1) exp(-2 k^2 x^2), or its theta transform where x is small.
 *
 * @example
 * import { kolmogorovUpper } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(kolmogorovUpper(1.3581).toFixed(3)) // 0.050
 */
export function kolmogorovUpper(x: number): number {
  if (x <= 0) return 1
  if (x < 1) {
    let sum = 0
    for (let k = 1; k <= 20; k++) sum += Math.exp((-((2 * k - 1) ** 2) * Math.PI ** 2) / (8 * x * x))
    return Math.max(0, 1 - (Math.sqrt(2 * Math.PI) / x) * sum)
  }
  let sum = 0
  for (let k = 1; k <= 20; k++) sum += (k % 2 === 1 ? 1 : -1) * Math.exp(-2 * k * k * x * x)
  return Math.min(1, 2 * sum)
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
