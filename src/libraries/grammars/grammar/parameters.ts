import { below, between } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'

/**
 * How one size parameter of a random grammar is drawn. All numbers are integers.
 * - `fixed`: always `value`.
 * - `uniform`: `low`..`high`, both included.
 * - `grid`: one of `low`, `low + step`, ... not above `high`.
 * - `exponential`: the integer part of an exponential of mean `mean`, clamped to `low`..`high` (RELIC: mean 100, 5..400).
 */
export type Parameter =
  | { readonly kind: 'fixed'; readonly value: number }
  | { readonly kind: 'uniform'; readonly low: number; readonly high: number }
  | { readonly kind: 'grid'; readonly low: number; readonly high: number; readonly step: number }
  | { readonly kind: 'exponential'; readonly mean: number; readonly low: number; readonly high: number }

/** One value of a {@link Parameter}. */
export function drawParameter(stream: Stream, parameter: Parameter): number {
  switch (parameter.kind) {
    case 'fixed':
      return parameter.value
    case 'uniform':
      return between(stream, parameter.low, parameter.high)
    case 'grid':
      return (
        parameter.low +
        parameter.step * below(stream, Math.floor((parameter.high - parameter.low) / parameter.step) + 1)
      )
    case 'exponential':
      return Math.min(Math.max(integerExponential(stream, parameter.mean), parameter.low), parameter.high)
  }
}

/**
 * The integer part of an exponential of integer mean: P(X >= k) = e^(-k / mean), exactly and with integers only.
 * A remainder u uniform on 0..mean-1 is kept with probability e^(-u / mean); the quotient counts successes of
 * probability 1/e (Canonne, Kamath, Steinke 2020, algorithm 2).
 */
export function integerExponential(stream: Stream, mean: number): number {
  let remainder = below(stream, mean)
  while (!bernoulliExp(stream, remainder, mean)) remainder = below(stream, mean)
  let quotient = 0
  while (bernoulliExp(stream, 1, 1)) quotient++
  return remainder + mean * quotient
}

/**
 * True with probability e^(-numerator / denominator), for 0 <= numerator <= denominator: the number of successes in a
 * row of probability g, g/2, g/3, ... is even with just that probability (von Neumann's series).
 */
function bernoulliExp(stream: Stream, numerator: number, denominator: number): boolean {
  let k = 1
  while (below(stream, denominator * k) < numerator) k++
  return k % 2 === 1
}
