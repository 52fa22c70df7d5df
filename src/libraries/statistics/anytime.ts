import { bisect } from './numeric.ts'

/**
 * Tests and intervals that are valid at any number of interim analyses: bets on bounded means (Waudby-Smith and Ramdas, JRSS B 86, 2024),
 * with a fixed mixture of stakes. By Ville's inequality the wealth of a gambler in a fair or losing game reaches 1 / alpha with
 * probability at most alpha, at any time.
 */
const STAKES = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 0.9]

/** Mean over the stakes of the product of 1 + stake * x: an e-value of the hypothesis that all means are at most 0. */
function wealth(values: ArrayLike<number>, shift: number, sign: 1 | -1): number {
  let sum = 0
  for (const stake of STAKES) {
    let log = 0
    for (let i = 0; i < values.length; i++) log += Math.log1p(sign * stake * ((values[i] as number) - shift))
    sum += Math.exp(log)
  }
  return Math.min(Number.MAX_VALUE, sum / STAKES.length)
}

/** Evidence for a mean above and below zero, as e-values: to be read at any time. */
export interface AnytimeTest {
  /** E-value of "the mean is at most 0": evidence that it is more. */
  readonly above: number
  /** E-value of "the mean is at least 0". */
  readonly below: number
  readonly mean: number | null
}

/**
 * Is the mean of units in -1..1 above or below zero? Each side holds with error alpha / 2 where its e-value reaches
 * 2 / alpha, at any time. Units must be independent, or each have a mean of zero given those before.
 *
 * @throws RangeError for a value outside of -1..1.
 *
 * @example
 * import { anytimeTest } from '@touchstone-eval/touchstone/statistics'
 *
 * const { above } = anytimeTest(Array(40).fill(0.5))
 * console.log(above > 2 / 0.05) // true
 */
export function anytimeTest(units: ArrayLike<number>): AnytimeTest {
  check(units, -1)
  return { above: wealth(units, 0, 1), below: wealth(units, 0, -1), mean: meanOf(units) }
}

/** Evidence after each unit, in their order. */
export interface AnytimePath {
  readonly above: Float64Array
  readonly below: Float64Array
}

/**
 * The e-values of {@link anytimeTest} after each unit.
 *
 * @throws RangeError for a value outside of -1..1.
 *
 * @example
 * import { anytimePath } from '@touchstone-eval/touchstone/statistics'
 *
 * const { above } = anytimePath(Array(40).fill(0.5))
 * console.log(1 + above.findIndex((e) => e >= 2 / 0.05)) // 15
 */
export function anytimePath(units: ArrayLike<number>): AnytimePath {
  check(units, -1)
  return { above: fortunes(units, 1), below: fortunes(units, -1) }
}

function fortunes(units: ArrayLike<number>, sign: 1 | -1): Float64Array {
  const logs = STAKES.map(() => 0)
  return Float64Array.from(units, (unit) => {
    let sum = 0
    STAKES.forEach((stake, k) => {
      logs[k] = (logs[k] as number) + Math.log1p(sign * stake * unit)
      sum += Math.exp(logs[k] as number)
    })
    return Math.min(Number.MAX_VALUE, sum / STAKES.length)
  })
}

/** The mean of units in 0..1, with an interval that is valid at any time. */
export interface AnytimeInterval {
  readonly mean: number
  readonly low: number
  readonly high: number
}

/** Halvings of an interval of length 1. */
const STEPS = 40

/**
 * The means m in 0..1 that no bet at level alpha / 2 refutes: an interval that covers the mean at all times
 * together with probability 1 - alpha. null of no units.
 *
 * @throws RangeError for a value outside of 0..1.
 *
 * @example
 * import { anytimeInterval } from '@touchstone-eval/touchstone/statistics'
 *
 * const interval = anytimeInterval(Array(100).fill(0.5), 0.05)
 * console.log(interval === null ? 'no units' : interval.low < 0.5 && interval.high > 0.5) // true
 */
export function anytimeInterval(units: ArrayLike<number>, alpha: number): AnytimeInterval | null {
  check(units, 0)
  const mean = meanOf(units)
  if (mean === null) return null
  const refuted = 2 / alpha
  // Wealth falls as m rises where bets are on more, and rises where they are on less.
  const border = (from: number, sign: 1 | -1): number => {
    if (wealth(units, from, sign) < refuted) return from
    return bisect((at) => wealth(units, at, sign) >= refuted, from, mean, STEPS)[0]
  }
  return { mean, low: border(0, 1), high: border(1, -1) }
}

function check(units: ArrayLike<number>, least: number): void {
  for (let i = 0; i < units.length; i++) {
    const value = units[i] as number
    if (!(value >= least && value <= 1)) throw new RangeError(`a unit is a number from ${least} to 1, got ${value}`)
  }
}

function meanOf(units: ArrayLike<number>): number | null {
  let sum = 0
  for (let i = 0; i < units.length; i++) sum += units[i] as number
  return units.length === 0 ? null : sum / units.length
}
