import { DEFAULT_CONFIDENCE } from './confidence.ts'
import { chiSquaredQuantile, chiSquaredUpper } from './distributions/test-statistics.ts'
import { type FlatResponse, flatResponse, type LevelCounts } from './flat-response.ts'
import { bisect, logistic } from './numeric.ts'

export type { LevelCounts } from './flat-response.ts'

/** The parameter value at which a given fraction is solved above chance. */
export type Threshold =
  | {
      readonly kind: 'inside'
      readonly value: number
      /** Profile-likelihood interval; an end that the range cuts off is open. */
      readonly low: number
      readonly high: number
      readonly open: 'neither' | 'low' | 'high' | 'both'
    }
  /** Outside the tested values: all are solved more often, or all less often. */
  | { readonly kind: 'outside'; readonly solved: 'more' | 'less' }

/**
 * P(x) = c + (1 - c - lapse) / (1 + exp(-slope (x - x50))), c the accuracy of guessing at
 * the level, lapse the rate of slips on items however easy.
 */
export interface PsychometricCurve {
  readonly kind: 'curve'
  readonly x50: Threshold
  readonly x75: Threshold
  /** Per unit of the parameter; negative if larger values are harder. */
  readonly slope: number
  readonly lapse: number
  /** Goodness of fit; null with too few levels. */
  readonly misfit: { readonly chiSquared: number; readonly df: number; readonly p: number } | null
  /** Accuracy by the curve at a parameter value. */
  share(at: number, chance: number): number
  /** Distance of a level from the curve in standard errors: beyond 2 or 3 the curve is wrong there. */
  residual(level: LevelCounts): number
}

/** No significant trend over the parameter, e.g. of a model that guesses or never errs. */
export interface FlatCurve extends FlatResponse {
  readonly kind: 'flat'
  /** Goodness of fit of a constant; if bad, levels differ without a trend. */
  readonly misfit: PsychometricCurve['misfit']
  /** Accuracy at any parameter value. */
  share(at: number, chance: number): number
  /** Distance of a level in standard errors. */
  residual(level: LevelCounts): number
}

/** A curve, no trend, or too few values. */
export type Psychometric = PsychometricCurve | FlatCurve | { readonly kind: 'none'; readonly reason: string }

/** Design effect and confidence of a curve. */
export interface PsychometricOptions {
  /** Design effect of items in groups, 1 or more. Default: 1. */
  readonly design?: number
  /** Default: 0.95. A curve is fitted only if a test at level 1 - confidence finds a trend. */
  readonly confidence?: number
}

const LAPSES = [0, 0.01, 0.02, 0.035, 0.05, 0.08, 0.12, 0.16, 0.2, 0.25, 0.3, 0.4]
/** Prior of a lapse: Beta(1, 5). Beta(1, 20) puts thresholds of models with 20 % lapses (e.g. unparsed answers) far too low. */
const LAPSE_PRIOR = 4
/** Slopes in logits over the range of the parameter: from nearly flat to a step. */
const SLOPES = { least: Math.log(0.05), most: Math.log(200) }
/** Search range of thresholds beyond the tested values, in ranges. */
const BEYOND = 1
const GRID = 20

const logit = (p: number): number => Math.log(p / (1 - p))

/**
 * The psychometric curve of a parameter by penalised maximum likelihood (Wichmann and Hill, Perception & Psychophysics 63, 2001):
 * chance is known, the lapse has a weak prior, thresholds have profile-likelihood intervals. Thresholds are of the curve
 * without chance and lapse, so that those of tasks with other chances compare. Without a significant trend the result is flat: the
 * thresholds of a curve would be noise.
 *
 * @example
 * import { psychometric } from '@touchstone-eval/touchstone/statistics'
 *
 * const levels = [1, 2, 3, 4, 5].map((at) => ({ at, n: 40, right: [39, 36, 20, 4, 1][at - 1] ?? 0, chance: 0 }))
 * console.log(psychometric(levels).kind) // curve
 */
export function psychometric(levels: readonly LevelCounts[], options: PsychometricOptions = {}): Psychometric {
  const used = levels.filter(({ n }) => n > 0).sort((a, b) => a.at - b.at)
  if (used.length < 3) return { kind: 'none', reason: `expected at least three parameter values, got ${used.length}` }
  const { confidence = DEFAULT_CONFIDENCE } = options
  const design = Math.max(1, options.design ?? 1)
  const flat = flatResponse(used, design, confidence)
  if (!(flat.trend < 1 - confidence)) {
    const share = (_: number, chance: number): number => chance + (1 - chance) * flat.aboveChance
    return {
      kind: 'flat',
      ...flat,
      misfit: misfit(used, share, design, 1),
      share,
      residual: (one) => residual(one, share) / Math.sqrt(design),
    }
  }
  const model = new Model(used)
  const best = model.best()
  const drop = (design * chiSquaredQuantile(confidence, 1)) / 2
  const share = (at: number, chance: number): number => shareOf(best, at, chance)
  const threshold = (p: number): Threshold => model.threshold(p, best, best.likelihood - drop)
  return {
    kind: 'curve',
    x50: threshold(0.5),
    x75: threshold(0.75),
    slope: best.slope,
    lapse: best.lapse,
    misfit: misfit(used, share, design, 3),
    share,
    residual: (one) => residual(one, share) / Math.sqrt(design),
  }
}

/** A curve by its middle. */
interface Fitted {
  readonly x50: number
  readonly slope: number
  readonly lapse: number
  readonly likelihood: number
}

const shareOf = ({ x50, slope, lapse }: Omit<Fitted, 'likelihood'>, at: number, chance: number): number =>
  chance + (1 - chance - lapse) * logistic(slope * (at - x50))

const GOLDEN = (Math.sqrt(5) - 1) / 2

/** Maximum of a unimodal function by golden section. */
function highest(curve: (at: number) => Fitted, low: number, high: number): Fitted {
  let [from, to] = [low, high]
  let [a, b] = [curve(to - GOLDEN * (to - from)), curve(from + GOLDEN * (to - from))]
  for (let step = 0; step < 16; step++)
    if (a.likelihood < b.likelihood) {
      from = to - GOLDEN * (to - from)
      a = b
      b = curve(from + GOLDEN * (to - from))
    } else {
      to = from + GOLDEN * (to - from)
      b = a
      a = curve(to - GOLDEN * (to - from))
    }
  return a.likelihood < b.likelihood ? b : a
}

class Model {
  private readonly levels: readonly LevelCounts[]
  private readonly low: number
  private readonly range: number
  private readonly sign: number
  private lapse = 0

  constructor(levels: readonly LevelCounts[]) {
    this.levels = levels
    this.low = (levels[0] as LevelCounts).at
    this.range = (levels.at(-1) as LevelCounts).at - this.low
    const all = levels.reduce((sum, { n }) => sum + n, 0)
    const mean = levels.reduce((sum, { at, n }) => sum + at * n, 0) / all
    const rise = levels.reduce((sum, { at, n, right, chance }) => sum + (at - mean) * (right - n * chance), 0)
    this.sign = rise > 0 ? 1 : -1
  }

  best(): Fitted {
    const places = Array.from({ length: 3 * GRID + 1 }, (_, i) => this.low + (i / GRID - BEYOND) * this.range)
    const found = places.map((x) => this.through(0.5, x))
    const top = found.reduce(
      (most, { likelihood }, i) => (likelihood > (found[most] as Fitted).likelihood ? i : most),
      0,
    )
    const [from, to] = [places[Math.max(0, top - 1)], places[Math.min(places.length - 1, top + 1)]]
    return highest((x) => this.through(0.5, x), from as number, to as number)
  }

  threshold(p: number, best: Fitted, least: number): Threshold {
    const value = best.x50 + logit(p) / best.slope
    const high = this.low + this.range
    if (value < this.low || value > high)
      return { kind: 'outside', solved: value < this.low === best.slope < 0 ? 'less' : 'more' }
    const within = (x: number) => this.through(p, x).likelihood >= least
    const end = (limit: number): { readonly at: number; readonly open: boolean } => {
      if (within(limit)) return { at: limit, open: true }
      return { at: bisect(within, value, limit, 20)[0], open: false }
    }
    const [below, above] = [end(this.low), end(high)]
    const open = below.open ? (above.open ? 'both' : 'low') : above.open ? 'high' : 'neither'
    return { kind: 'inside', value, low: below.at, high: above.at, open }
  }

  /** The best curve through (x, p). */
  private through(p: number, x: number): Fitted {
    const at = (lapse: number): Fitted => {
      const curve = (log: number): Fitted => {
        const slope = (this.sign * Math.exp(log)) / this.range
        const x50 = x - logit(p) / slope
        return { x50, slope, lapse, likelihood: this.likelihood(x50, slope, lapse) }
      }
      return highest(curve, SLOPES.least, SLOPES.most)
    }
    // The likelihood of a lapse has one top: climb from the one found last.
    let best = at(LAPSES[this.lapse] as number)
    for (const step of [-1, 1])
      for (let next = this.lapse + step; next >= 0 && next < LAPSES.length; next = this.lapse + step) {
        const found = at(LAPSES[next] as number)
        if (found.likelihood <= best.likelihood) break
        best = found
        this.lapse = next
      }
    return best
  }

  private likelihood(x50: number, slope: number, lapse: number): number {
    let sum = LAPSE_PRIOR * Math.log(1 - lapse)
    for (const { at, n, right, chance } of this.levels) {
      const p = Math.min(1 - 1e-9, Math.max(1e-9, shareOf({ x50, slope, lapse }, at, chance)))
      sum += right * Math.log(p) + (n - right) * Math.log(1 - p)
    }
    return sum
  }
}

type Share = PsychometricCurve['share']

/** Pearson's test of the levels against a curve with `taken` parameters. */
function misfit(
  levels: readonly LevelCounts[],
  share: Share,
  design: number,
  taken: number,
): PsychometricCurve['misfit'] {
  const df = levels.length - taken
  if (df < 1) return null
  const chiSquared = levels.reduce((sum, level) => sum + residual(level, share) ** 2, 0) / design
  return { chiSquared, df, p: chiSquaredUpper(chiSquared, df) }
}

function residual({ at, n, right, chance }: LevelCounts, share: Share): number {
  const p = Math.min(1 - 1e-9, Math.max(1e-9, share(at, chance)))
  return (right - n * p) / Math.sqrt(n * p * (1 - p))
}
