import { rounded } from '../../../core/index.ts'
import { isCrossed, pairDerivations } from './crossed.ts'
import { analyzerOf, type Shared } from './grammar.ts'

/**
 * log10 of the number of derivations of a string. Only features hold it, rounded to six digits: no string and no label depends on it. An
 * item's hash does where that is a whole number (docs/decisions/items-and-seeds.md).
 */
export function logDerivations(shared: Shared, tokens: ArrayLike<number>): number {
  const { mantissa, exponent } = isCrossed(shared) ? pairDerivations(shared, tokens) : analyzerOf(shared).count(tokens)
  return rounded(Math.log10(mantissa) + exponent * Math.log10(2))
}
