import type { ParseCount } from '../../../libraries/grammars/recognise/parses.ts'

/**
 * log10 of a number of parses. Only features hold it, rounded to six digits: no string and no label depends on it. An
 * item's hash does where that is a whole number (docs/decisions/items-and-seeds.md).
 */
export const log10 = ({ mantissa, exponent }: ParseCount): number => Math.log10(mantissa) + exponent * Math.log10(2)
