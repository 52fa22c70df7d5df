import { insideWeight, powerOfTwo } from '../../../../libraries/grammars/sample/inside.ts'
import type { Language } from '../../../../libraries/grammars/sample/language.ts'

/** Derivations that were drawn of every released grammar, of whatever lengths came (10 strings x 50 lengths x 10 x 100). */
const DRAWS = 500_000

/**
 * Positives of a length that the release could be expected to hold, were there as many: draws times the probability of the
 * length. Most draws are short, so long lengths hold few: 994 of 1,980 released cells of length 50.
 */
export function reached({ inside }: Language, length: number): number {
  const exponent = inside.scale * length
  return exponent < -1022 ? 0 : Math.floor(DRAWS * insideWeight(inside, length) * powerOfTwo(Math.min(1023, exponent)))
}
