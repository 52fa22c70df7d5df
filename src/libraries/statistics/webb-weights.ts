import { below } from '../../core/random.ts'
import { namedStream } from '../../core/streams.ts'

/** Webb's six points (Queen's Economics Department paper 1315, 2014): mean 0, variance 1, and 6^G patterns where signs have but 2^G. */
const POINTS = [-Math.sqrt(1.5), -1, -Math.sqrt(0.5), Math.sqrt(0.5), 1, Math.sqrt(1.5)] as const
/** All patterns of so many groups are looked at: 6^5 = 7,776. */
const EXACT_GROUPS = 5
const DRAWS = 4999

/** Weights of the groups, pattern after pattern. */
export interface WeightPatterns {
  readonly kind: 'exact' | 'sampled'
  readonly count: number
  readonly weights: Float64Array
}

const made = new Map<number, WeightPatterns>()

/**
 * Patterns of weights for so many groups. Up to five groups all of them, but for mirror images, which have the same |t|; beyond, 4,999
 * drawn once and the same for all data, so that a number does not depend on a seed.
 */
export function webbWeights(groups: number): WeightPatterns {
  const known = made.get(groups)
  if (known !== undefined) return known
  const patterns = groups <= EXACT_GROUPS ? all(groups) : drawn(groups)
  made.set(groups, patterns)
  return patterns
}

/** The weight of the first group is positive: the other half are mirror images. */
function all(groups: number): WeightPatterns {
  const count = 6 ** groups / 2
  const weights = new Float64Array(count * groups)
  for (let pattern = 0; pattern < count; pattern++) {
    let rest = pattern
    for (let g = 0; g < groups; g++) {
      const points = g === 0 ? 3 : 6
      weights[pattern * groups + g] = POINTS[6 - points + (rest % points)] as number
      rest = Math.floor(rest / points)
    }
  }
  return { kind: 'exact', count, weights }
}

function drawn(groups: number): WeightPatterns {
  const stream = namedStream('wild cluster bootstrap', String(groups))
  const weights = Float64Array.from({ length: DRAWS * groups }, () => POINTS[below(stream, 6)] as number)
  return { kind: 'sampled', count: DRAWS, weights }
}
