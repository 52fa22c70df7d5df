import { type KnobLevel, type PsychometricOptions, psychometric } from './psychometric.ts'

/** A value of the knob at which more can be asked. */
export interface Askable {
  readonly at: number
  /** The share right of who guesses there. */
  readonly chance: number
  /** Answers still to be had. */
  readonly left: number
  /** Of one answer, in any unit; 1 where nothing is said. */
  readonly cost?: number
}

/** What to do next: ask at a value of the knob, or stop, because enough is known or nothing is left. */
export type NextLevel =
  | { readonly kind: 'ask'; readonly at: number }
  /** The interval of where 50 % are solved is as narrow as was asked for. */
  | { readonly kind: 'known'; readonly low: number; readonly high: number }
  | { readonly kind: 'exhausted' }

/** When to stop asking, and the psychometric design. */
export interface NextOptions extends Pick<PsychometricOptions, 'design'> {
  /** Of the interval of x50, in units of the knob: as narrow is enough. Left out: ask as long as there is something. */
  readonly width?: number
}

/** Curves thought of: middles over the range and a quarter beyond, slopes over the range in logits either way, lapses. */
const MIDDLES = 61
const SLOPES = [1.5, 3, 6, 12, 24, 48].flatMap((slope) => [-slope, slope])
const LAPSES = [0, 0.03, 0.08, 0.16]
/** Of a lapse: Beta(1, 20), as {@link psychometric} has it. */
const LAPSE_PRIOR = 19

/**
 * Where on a knob to ask next, to know soon where a model breaks: at the value at which one more answer is expected to lower
 * the variance of the
 * middle of the curve most for its cost, over all curves that the answers so far allow (after Kontsevich and Tyler, Vision Research 39,
 * 1999, with the variance in place of the entropy). A design around the best curve alone does worse than values in turn: it trusts its
 * first guess. What is asked depends on the answers only, so that intervals of {@link psychometric} stay what they are.
 *
 * @param asked - what was answered so far, by value.
 *
 * @example
 * import { nextLevel } from '@touchstone-eval/touchstone/statistics'
 *
 * const levels = [1, 2, 3, 4, 5].map((at) => ({ at, n: 40, right: [39, 36, 20, 4, 1][at - 1] ?? 0, chance: 0 }))
 * console.log(nextLevel(levels, [1, 3, 5].map((at) => ({ at, chance: 0, left: 10 })))) // { kind: 'ask', at: 3 }
 */
export function nextLevel(
  asked: readonly KnobLevel[],
  askable: readonly Askable[],
  { width, design }: NextOptions = {},
): NextLevel {
  for (const { at, cost = 1 } of askable)
    if (!(cost > 0 && Number.isFinite(cost)))
      throw new RangeError(`an answer at ${at} costs more than 0, got ${cost}: leave the cost out where all cost alike`)
  if (width !== undefined) {
    const curve = psychometric(asked, design === undefined ? {} : { design })
    if (curve.kind === 'curve' && curve.x50.kind === 'inside') {
      const { low, high, open } = curve.x50
      if (open === 'neither' && high - low <= width) return { kind: 'known', low, high }
    }
  }
  const open = askable.filter(({ left }) => left > 0)
  if (open.length === 0) return { kind: 'exhausted' }
  const curves = curvesOver([...asked, ...askable].map(({ at }) => at))
  const weights = weigh(curves, asked)
  const gains = open.map((one) => expectedGain(curves, weights, one))
  const best = gains.reduce((most, gain, i) => (gain > (gains[most] as number) ? i : most), 0)
  return { kind: 'ask', at: (open[best] as Askable).at }
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

const shareOf = ({ x50, slope, lapse }: Curve, at: number, chance: number): number =>
  Math.min(1 - 1e-9, Math.max(1e-9, chance + (1 - chance - lapse) / (1 + Math.exp(-slope * (at - x50)))))

/** How probable each curve is after what was answered; they sum to 1. */
function weigh(curves: readonly Curve[], asked: readonly KnobLevel[]): Float64Array {
  const logs = Float64Array.from(curves, (curve) => {
    let sum = LAPSE_PRIOR * Math.log(1 - curve.lapse)
    for (const { at, n, right, chance } of asked) {
      const p = shareOf(curve, at, chance)
      sum += right * Math.log(p) + (n - right) * Math.log(1 - p)
    }
    return sum
  })
  const most = logs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const weights = logs.map((log) => Math.exp(log - most))
  const all = weights.reduce((a, b) => a + b, 0)
  return weights.map((weight) => weight / all)
}

/** By how much the variance of x50 is expected to fall with one answer, for its cost. */
function expectedGain(curves: readonly Curve[], weights: Float64Array, { at, chance, cost = 1 }: Askable): number {
  const mean = curves.reduce((sum, { x50 }, i) => sum + (weights[i] as number) * x50, 0)
  let [right, moved] = [0, 0]
  curves.forEach((curve, i) => {
    const weight = weights[i] as number
    const share = weight * shareOf(curve, at, chance)
    right += share
    moved += share * (curve.x50 - mean)
  })
  // Var - E Var = the variance of the mean between a right and a wrong answer.
  return moved ** 2 / (right * (1 - right)) / cost
}
