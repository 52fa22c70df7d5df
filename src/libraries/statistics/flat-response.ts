import { chiSquaredQuantile, chiSquaredUpper } from './distributions/test-statistics.ts'
import { bisect } from './numeric.ts'

/** Responses at one value of a parameter. */
export interface LevelCounts {
  readonly at: number
  readonly n: number
  readonly right: number
  /** Accuracy of guessing. */
  readonly chance: number
}

/** The same fraction above chance is solved at every value of a parameter. */
export interface FlatResponse {
  /** That fraction: 0 for guessing, 1 for always correct, below 0 for worse than guessing. */
  readonly aboveChance: number
  /** Profile-likelihood interval. */
  readonly low: number
  readonly high: number
  /** p value of no trend: score test of a slope, which fits no slope. */
  readonly trend: number
}

/**
 * The fraction solved if the parameter has no effect, and a test of that.
 *
 * @param levels - at least two parameter values.
 * @param design - design effect: variance of the answers over that of independent ones.
 * @param confidence - coverage of the interval.
 */
export function flatResponse(levels: readonly LevelCounts[], design: number, confidence: number): FlatResponse {
  // Below this, the value with the least chance would have a negative probability.
  const least = Math.max(...levels.map(({ chance }) => -chance / (1 - chance)))
  const shareAt = (solved: number, chance: number): number =>
    Math.min(1 - 1e-9, Math.max(1e-9, chance + (1 - chance) * solved))
  const slope = (solved: number): number =>
    levels.reduce((sum, { n, right, chance }) => {
      const p = shareAt(solved, chance)
      return sum + ((right - n * p) * (1 - chance)) / (p * (1 - p))
    }, 0)
  const likelihood = (solved: number): number =>
    levels.reduce((sum, { n, right, chance }) => {
      const p = shareAt(solved, chance)
      return sum + right * Math.log(p) + (n - right) * Math.log(1 - p)
    }, 0)
  const solved = crossing((at) => slope(at) > 0, least, 1)
  const enough = likelihood(solved) - (design * chiSquaredQuantile(confidence, 1)) / 2
  const low = crossing((at) => likelihood(at) < enough, least, solved)
  const high = crossing((at) => likelihood(at) >= enough, solved, 1)
  return {
    aboveChance: solved,
    low,
    high,
    trend: chiSquaredUpper(trendOf(levels, (chance) => shareAt(solved, chance)) / design, 1),
  }
}

/** Score statistic of a slope, given the common fraction. */
function trendOf(levels: readonly LevelCounts[], shareOf: (chance: number) => number): number {
  let [score, heights, crossed, slopes] = [0, 0, 0, 0]
  const from = (levels[0] as LevelCounts).at
  for (const { at, n, right, chance } of levels) {
    const p = shareOf(chance)
    const variance = p * (1 - p)
    const weight = (n * (1 - chance) ** 2) / variance
    score += ((right - n * p) * (1 - chance) * (at - from)) / variance
    heights += weight
    crossed += weight * (at - from)
    slopes += weight * (at - from) ** 2
  }
  const information = slopes - (crossed * crossed) / heights
  return information > 0 ? (score * score) / information : 0
}

/** Bisection: the largest x at which `holds` is true. */
function crossing(holds: (at: number) => boolean, low: number, high: number): number {
  if (!holds(low)) return low
  if (holds(high)) return high
  return bisect(holds, low, high, 50)[0]
}
