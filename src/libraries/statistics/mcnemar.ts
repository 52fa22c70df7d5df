import { binomialCdf, binomialPmf } from './distributions/binomial.ts'

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
