import { logistic } from './numeric.ts'
import type { LevelCounts } from './psychometric.ts'

/** A parameter value with items left. */
export interface LevelCandidate {
  readonly at: number
  /** Accuracy of guessing at this value. */
  readonly chance: number
  /** Items left. */
  readonly left: number
  /** Cost of one answer, in any unit. Default: 1. */
  readonly cost?: number
}

/** Grid of curves: middles over the range and a quarter beyond, slopes in logits per range, both signs, and lapses. */
const MIDDLES = 61
const SLOPES = [1.5, 3, 6, 12, 24, 48].flatMap((slope) => [-slope, slope])
const LAPSES = [0, 0.03, 0.08, 0.16]
/** Logits between the middle and a threshold. */
const BEYOND = { x50: 0, x75: Math.log(3) } as const
/** Prior of a lapse: Beta(1, 20). */
const LAPSE_PRIOR = 19

/** The value at which to ask next; null: no items are left. */
export type LevelChooser = (answered: readonly LevelCounts[], candidates: readonly LevelCandidate[]) => number | null

/**
 * Where to ask next to measure a threshold: the parameter value at which one more answer is expected to reduce the variance
 * of the threshold most per cost, over all curves weighted by their likelihood (after Kontsevich and Tyler, Vision Research
 * 39, 1999, with variance instead of entropy). A design around the best curve alone does worse: it trusts its first guess.
 * The choice depends on the answers only, so intervals of {@link psychometric} stay valid.
 *
 * @param values - parameter values; all later ones lie between the least and the largest.
 * @param threshold - where 50 % or 75 % are solved above chance. Default: `x50`.
 *
 * @example
 * import { levelChooser } from '@touchstone-eval/touchstone/statistics'
 *
 * const choose = levelChooser([1, 2, 3, 4, 5])
 * console.log(choose([], [1, 3, 5].map((at) => ({ at, chance: 0, left: 10 })))) // 5
 */
export function levelChooser(values: readonly number[], threshold: keyof typeof BEYOND = 'x50'): LevelChooser {
  const curves = curvesOver(values)
  const places = Float64Array.from(curves, ({ x50, slope }) => x50 + BEYOND[threshold] / slope)
  const prior = Float64Array.from(curves, ({ lapse }) => LAPSE_PRIOR * Math.log(1 - lapse))
  const known = new Map<string, Level>()
  const levelOf = ({ at, chance }: Pick<LevelCandidate, 'at' | 'chance'>): Level => {
    const key = `${at} ${chance}`
    const level = known.get(key) ?? levelOver(curves, at, chance)
    known.set(key, level)
    return level
  }
  return (answered, candidates) => {
    for (const { at, cost = 1 } of candidates)
      if (!(cost > 0 && Number.isFinite(cost)))
        throw new RangeError(
          `the cost at ${at}: expected a number above 0, got ${cost}. Omit it if all costs are equal`,
        )
    const open = candidates.filter(({ left }) => left > 0)
    if (open.length === 0) return null
    const weights = weigh(
      prior,
      answered.map((level) => ({ ...level, ...levelOf(level) })),
    )
    const gains = open.map((one) => expectedGain(places, weights, levelOf(one).share) / (one.cost ?? 1))
    const best = gains.reduce((most, gain, i) => (gain > (gains[most] as number) ? i : most), 0)
    return (open[best] as LevelCandidate).at
  }
}

interface Curve {
  readonly x50: number
  readonly slope: number
  readonly lapse: number
}

function curvesOver(values: readonly number[]): readonly Curve[] {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const range = high > low ? high - low : 1
  return Array.from({ length: MIDDLES }, (_, i) => low + (1.5 * (i / (MIDDLES - 1)) - 0.25) * range).flatMap((x50) =>
    SLOPES.flatMap((slope) => LAPSES.map((lapse) => ({ x50, slope: slope / range, lapse }))),
  )
}

/** Accuracy at one value by each curve, and its logarithms. */
interface Level {
  readonly share: Float64Array
  readonly logRight: Float64Array
  readonly logWrong: Float64Array
}

function levelOver(curves: readonly Curve[], at: number, chance: number): Level {
  const share = Float64Array.from(curves, ({ x50, slope, lapse }) =>
    Math.min(1 - 1e-9, Math.max(1e-9, chance + (1 - chance - lapse) * logistic(slope * (at - x50)))),
  )
  return { share, logRight: share.map((p) => Math.log(p)), logWrong: share.map((p) => Math.log(1 - p)) }
}

/** Posterior weight of each curve; they sum to 1. */
function weigh(prior: Float64Array, answered: readonly (Level & Pick<LevelCounts, 'n' | 'right'>)[]): Float64Array {
  const logs = prior.slice()
  for (const { n, right, logRight, logWrong } of answered)
    for (let i = 0; i < logs.length; i++)
      logs[i] = (logs[i] as number) + right * (logRight[i] as number) + (n - right) * (logWrong[i] as number)
  const most = logs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const weights = logs.map((log) => Math.exp(log - most))
  const all = weights.reduce((a, b) => a + b, 0)
  return weights.map((weight) => weight / all)
}

/** Expected reduction of the variance of the threshold by one answer. */
function expectedGain(places: Float64Array, weights: Float64Array, share: Float64Array): number {
  let mean = 0
  for (let i = 0; i < weights.length; i++) mean += (weights[i] as number) * (places[i] as number)
  let [right, moved] = [0, 0]
  for (let i = 0; i < weights.length; i++) {
    const part = (weights[i] as number) * (share[i] as number)
    right += part
    moved += part * ((places[i] as number) - mean)
  }
  // Var - E Var = variance of the mean between a correct and an incorrect answer.
  return moved ** 2 / (right * (1 - right))
}
