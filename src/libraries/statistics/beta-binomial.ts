import { checkConfidence, DEFAULT_CONFIDENCE } from './confidence.ts'
import { betaQuantile, incompleteBeta, type Tails } from './distributions/special-functions.ts'

/**
 * Intervals of a share whose rows come in groups, and of the difference of two paired shares, for 1 to some 500 groups.
 *
 * The model: the true shares of groups follow a beta distribution with mean `mu` and intra-group correlation `rho`. Priors: `mu` ~
 * Beta(1/2, 1/2); sqrt(rho), the standard deviation of groups over its largest possible value, is uniform on 0..1 at mu = 1/2 and leans
 * to small values near 0 and 1: rho | mu ~ Beta(1/2, 1 + (2 mu - 1)^2). Given rho, the likelihood of a group of n rows counts as
 * (1 + (n - 1) rho) / (1 + (w - 1) rho), w the mean group size of a row, so that every row weighs the same and the interval belongs to
 * the share of all rows. See docs/statistics.md#shares.
 */

/** Rows of one group, and how many of them are correct (a fraction where rows have scores). */
export interface GroupCount {
  readonly rows: number
  readonly correct: number
}

/** Limits of an interval. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** Number of grid nodes for rho and mu. */
export interface Resolution {
  readonly rho: number
  readonly mu: number
}

const SEARCH: Resolution = { rho: 12, mu: 16 }
const FINE: Resolution = { rho: 18, mu: 56 }

/**
 * Equal-tailed credible interval of a share over groups, at least as wide as that of independent rows (Jeffreys). No lower limit exceeds
 * that of the same groups with every row correct. Exact under permutation of groups and under exchange of correct and incorrect.
 *
 * @param resolution - grid nodes; the default is accurate to some 1 % of the width.
 * @throws RangeError without rows.
 */
export function betaBinomialInterval(
  groups: readonly GroupCount[],
  level: number = DEFAULT_CONFIDENCE,
  resolution: Resolution = FINE,
): Interval {
  const tail = (1 - checkConfidence(level)) / 2
  const { rows, correct } = totals(groups)
  if (!(rows > 0)) throw new RangeError('an interval needs at least one row')
  const own = equalTailed(groups, tail, resolution)
  const cap = lowOfAllCorrect(groups, tail, resolution)
  return {
    low: correct === 0 ? 0 : Math.min(own.low, cap),
    high: correct === rows ? 1 : Math.max(own.high, 1 - cap),
  }
}

function totals(groups: readonly GroupCount[]): GroupCount {
  let rows = 0
  let correct = 0
  for (const group of groups) {
    rows += group.rows
    correct += group.correct
  }
  return { rows, correct }
}

/** The interval before the cap of {@link lowOfAllCorrect}; it contains the share and the interval of independent rows. */
function equalTailed(groups: readonly GroupCount[], tail: number, resolution: Resolution): Interval {
  const { rows, correct } = totals(groups)
  const share = correct / rows
  const [a, b] = [correct + 0.5, rows - correct + 0.5]
  const posterior = meanPosterior(groups, 'jeffreys', resolution)
  return {
    low: Math.min(share, betaQuantile(tail, a, b), posterior === null ? 1 : quantile(posterior, tail)),
    high: Math.max(share, betaQuantile(1 - tail, a, b), posterior === null ? 0 : quantile(posterior, 1 - tail)),
  }
}

/** Cache of {@link lowOfAllCorrect} by group sizes, tail and resolution. */
const caps = new Map<string, number>()
const MAX_CAPS = 1000

function lowOfAllCorrect(groups: readonly GroupCount[], tail: number, resolution: Resolution): number {
  const counts = new Map<number, number>()
  for (const { rows } of groups) counts.set(rows, (counts.get(rows) ?? 0) + 1)
  const sizes = [...counts].sort(([a], [b]) => a - b)
  const key = `${tail} ${resolution.rho} ${resolution.mu} ${sizes.join(' ')}`
  let cap = caps.get(key)
  if (cap === undefined) {
    const all = sizes.flatMap(([rows, count]) => new Array<GroupCount>(count).fill({ rows, correct: rows }))
    cap = equalTailed(all, tail, resolution).low
    if (caps.size >= MAX_CAPS) caps.clear()
    caps.set(key, cap)
  }
  return cap
}

/** Rows of one group on which two systems were compared: those where only A, and only B, is correct. */
export interface DiscordantCount {
  readonly rows: number
  readonly onlyA: number
  readonly onlyB: number
}

/** Difference of two paired shares, A - B. */
export interface PairedShare extends Interval {
  readonly difference: number
  /** Two-sided; below 1 - level exactly where the interval excludes 0. With single rows it is McNemar's mid-p. */
  readonly p: number
}

/**
 * Difference A - B of two shares on the same rows: the share of rows on which the two differ times (2 phi - 1), phi being the share of
 * those rows that A wins. Both are shares over groups by the model of `betaBinomialInterval`; phi has a flat prior. The result is at
 * least as wide, and p at least as large, as with independent rows.
 *
 * @throws RangeError without rows.
 */
export function betaBinomialDifference(
  groups: readonly DiscordantCount[],
  level: number = DEFAULT_CONFIDENCE,
): PairedShare {
  const tail = (1 - checkConfidence(level)) / 2
  const discordant = groups.map(({ rows, onlyA, onlyB }) => ({ rows, correct: onlyA + onlyB }))
  const wins = groups
    .map(({ onlyA, onlyB }) => ({ rows: onlyA + onlyB, correct: onlyA }))
    .filter(({ rows }) => rows > 0)
  const { rows, correct: differing } = totals(discordant)
  if (!(rows > 0)) throw new RangeError('a difference needs at least one row')
  const won = totals(wins).correct
  const difference = (2 * won - differing) / rows

  const single = (shape: number, k: number, n: number) => (x: number) =>
    incompleteBeta(Math.min(1, Math.max(0, x)), k + shape, n - k + shape)
  const independent = product(gridOf(single(0.5, differing, rows)), single(1, won, differing), tail)
  const delta = meanPosterior(discordant, 'jeffreys', FINE)
  const phi = wins.length === 0 ? null : meanPosterior(wins, 'flat', FINE)
  if (delta === null && phi === null) return widest(difference, independent)
  const clustered = product(
    delta === null ? gridOf(single(0.5, differing, rows)) : cells(delta),
    phi === null ? single(1, won, differing) : (x) => tailsAt(phi, x),
    tail,
  )
  return widest(difference, independent, clustered)
}

function widest(difference: number, ...parts: readonly (Interval & { readonly p: number })[]): PairedShare {
  return {
    difference,
    low: Math.min(difference, ...parts.map(({ low }) => low)),
    high: Math.max(difference, ...parts.map(({ high }) => high)),
    p: Math.max(...parts.map(({ p }) => p)),
  }
}

/** Probability of small intervals of a share, by their middle. */
type Cells = readonly { readonly at: number; readonly probability: number }[]

/** Cells of less probability move no limit by as much as rounding does. */
const NEGLIGIBLE = 1e-12

/** Interval and p of delta (2 phi - 1), from the distribution of delta in cells and the tails of phi. */
function product(delta: Cells, phi: (x: number) => Tails, tail: number): Interval & { readonly p: number } {
  const likely = delta.filter(({ probability }) => probability > NEGLIGIBLE)
  const below = (t: number) =>
    likely.reduce((sum, { at, probability }) => sum + probability * phi((t / at + 1) / 2).lower, 0)
  const { lower, upper } = phi(0.5)
  return {
    low: rootOf((t) => below(t) - tail),
    high: rootOf((t) => below(t) - (1 - tail)),
    p: Math.min(1, 2 * Math.min(lower, upper)),
  }
}

/** Where a function that rises over -1..1 is 0: by bisection, then by the Illinois method. */
function rootOf(f: (t: number) => number): number {
  let [low, high] = [-1, 1]
  for (let step = 0; step < 10; step++) {
    const middle = (low + high) / 2
    if (f(middle) < 0) low = middle
    else high = middle
  }
  let [atLow, atHigh] = [f(low), f(high)]
  let side = 0
  for (let step = 0; step < 40 && high - low > 1e-11 && atHigh > atLow; step++) {
    const next = (low * atHigh - high * atLow) / (atHigh - atLow)
    const value = f(next)
    if (Math.abs(value) < 1e-13) return next
    if (value < 0) {
      ;[low, atLow] = [next, value]
      if (side === -1) atHigh /= 2
      side = -1
    } else {
      ;[high, atHigh] = [next, value]
      if (side === 1) atLow /= 2
      side = 1
    }
  }
  return (low + high) / 2
}

/** A distribution on 0..1 in 200 cells that are equally wide in asin(sqrt(x)). */
function gridOf(tails: (x: number) => Tails): Cells {
  const COUNT = 200
  const edge = (i: number) => Math.sin((Math.PI / 2) * (i / COUNT)) ** 2
  return Array.from({ length: COUNT }, (_, i) => ({
    at: edge(i + 0.5),
    probability: tails(edge(i + 1)).lower - tails(edge(i)).lower,
  }))
}

/** Posterior of mu on a grid of angles, mu = sin^2(angle): cell edges, and the probability up to and beyond each edge. */
interface Posterior {
  readonly edges: Float64Array
  readonly cumulated: Float64Array
  readonly beyond: Float64Array
}

function quantile({ edges, cumulated }: Posterior, probability: number): number {
  let cell = 0
  while (cell < cumulated.length - 2 && (cumulated[cell + 1] as number) < probability) cell++
  const [from, to] = [cumulated[cell] as number, cumulated[cell + 1] as number]
  const [left, right] = [edges[cell] as number, edges[cell + 1] as number]
  return Math.sin(left + ((probability - from) / (to - from)) * (right - left)) ** 2
}

function tailsAt({ edges, cumulated, beyond }: Posterior, share: number): Tails {
  const angle = Math.asin(Math.sqrt(Math.min(1, Math.max(0, share))))
  if (angle <= (edges[0] as number)) return { lower: 0, upper: 1 }
  const last = edges.length - 1
  if (angle > (edges[last] as number)) return { lower: 1, upper: 0 }
  let [cell, next] = [0, last]
  while (next - cell > 1) {
    const middle = (cell + next) >> 1
    if ((edges[middle] as number) < angle) cell = middle
    else next = middle
  }
  const [left, right] = [edges[cell] as number, edges[next] as number]
  const between = (values: Float64Array): number =>
    (values[cell] as number) + ((angle - left) / (right - left)) * ((values[next] as number) - (values[cell] as number))
  return { lower: between(cumulated), upper: between(beyond) }
}

function cells({ edges, cumulated }: Posterior): Cells {
  return Array.from({ length: edges.length - 1 }, (_, cell) => ({
    at: Math.sin(((edges[cell] as number) + (edges[cell + 1] as number)) / 2) ** 2,
    probability: (cumulated[cell + 1] as number) - (cumulated[cell] as number),
  }))
}

/** Groups with the same counts. */
interface Pattern extends GroupCount {
  readonly groups: number
}

function patternsOf(groups: readonly GroupCount[]): readonly Pattern[] {
  const found = new Map<string, { rows: number; correct: number; groups: number }>()
  for (const { rows, correct } of groups) {
    const key = `${rows} ${correct}`
    const pattern = found.get(key)
    if (pattern === undefined) found.set(key, { rows, correct, groups: 1 })
    else pattern.groups++
  }
  return [...found.values()]
}

/** Range of logit(rho) and of the angle that holds all but exp(-18) of the posterior's height. */
interface Box {
  readonly rho: readonly [low: number, high: number]
  readonly angle: readonly [low: number, high: number]
}

const DROP = 18
const LOGIT_MAX = Math.log(0.98 / 0.02)
type Prior = 'jeffreys' | 'flat'

/** Posterior of mu; null where every group has one row, so that nothing is known of rho and rows are independent. */
function meanPosterior(groups: readonly GroupCount[], prior: Prior, resolution: Resolution): Posterior | null {
  const largest = groups.reduce((most, { rows }) => Math.max(most, rows), 0)
  if (largest <= 1) return null
  const patterns = patternsOf(groups)
  const { rows, correct } = totals(groups)
  const model: Model = {
    patterns,
    prior,
    rowSize: patterns.reduce((sum, one) => sum + one.groups * one.rows * one.rows, 0) / rows,
    isEqual: patterns.every((one) => one.rows === (patterns[0] as Pattern).rows),
  }
  const centre = Math.asin(Math.sqrt((correct + 0.25) / (rows + 0.5)))
  const logitMin = Math.log(Math.min(0.01, 0.02 / largest))
  const whole: Box = { rho: [logitMin, LOGIT_MAX], angle: [0, Math.PI / 2] }
  const wide = 0.5 / Math.sqrt(rows)
  let box = narrowed(model, whole, centre, wide, logitMin, true)
  const widthAt = (logit: number) => Math.sqrt((1 + (model.rowSize - 1) / (1 + Math.exp(-logit))) / rows)
  if (groups.length > 40) box = narrowed(model, box, centre, 0.5 * widthAt(box.rho[0]), logitMin, false)
  return integrated(
    evaluate(model, box, anglesOf(box, centre, 0.525 * widthAt(box.rho[0]), resolution.mu), resolution.rho),
  )
}

interface Model {
  readonly patterns: readonly Pattern[]
  readonly prior: Prior
  /** Mean group size of a row: sum of squared sizes over rows. */
  readonly rowSize: number
  /** All groups have the same size: weighted and plain likelihood agree. */
  readonly isEqual: boolean
}

interface Angles {
  readonly edges: Float64Array
  readonly middles: Float64Array
  /** Width of each cell. */
  readonly widths: Float64Array
}

/** Cells of a range of angles, finest around the centre: equally wide in asinh((angle - centre) / width). */
function anglesOf({ angle: [from, to] }: Box, centre: number, width: number, count: number): Angles {
  const [low, high] = [Math.asinh((from - centre) / width), Math.asinh((to - centre) / width)]
  const at = (step: number) => low + ((high - low) * step) / count
  const edges = Float64Array.from({ length: count + 1 }, (_, i) => centre + width * Math.sinh(at(i)))
  edges[0] = from
  edges[count] = to
  return {
    edges,
    middles: Float64Array.from({ length: count }, (_, i) => centre + width * Math.sinh(at(i + 0.5))),
    widths: Float64Array.from({ length: count }, (_, i) => (width * Math.cosh(at(i + 0.5)) * (high - low)) / count),
  }
}

/** Log densities at the nodes of a grid, row by row of rho. */
interface Grid {
  readonly angles: Angles
  readonly rhoCount: number
  /** Log likelihood plus log prior and cell size. */
  readonly plain: Float64Array
  /** The same with group weights; the same array where sizes are equal. */
  readonly weighted: Float64Array
}

function evaluate({ patterns, prior, rowSize, isEqual }: Model, { rho }: Box, angles: Angles, rhoCount: number): Grid {
  const angleCount = angles.middles.length
  const plain = new Float64Array(rhoCount * angleCount)
  const weighted = isEqual ? plain : new Float64Array(rhoCount * angleCount)
  const shift = new Float64Array(patterns.length)
  const weight = new Float64Array(patterns.length)
  for (let j = 0; j < rhoCount; j++) {
    const logit = rho[0] + ((rho[1] - rho[0]) * (j + 0.5)) / rhoCount
    const value = 1 / (1 + Math.exp(-logit))
    const size = Math.exp(-logit)
    for (let q = 0; q < patterns.length; q++) {
      const { rows } = patterns[q] as Pattern
      shift[q] = lnGamma(size) - lnGamma(size + rows)
      weight[q] = (1 + (rows - 1) * value) / (1 + (rowSize - 1) * value)
    }
    for (let i = 0; i < angleCount; i++) {
      const angle = angles.middles[i] as number
      const [mean, rest] = [Math.sin(angle) ** 2, Math.cos(angle) ** 2]
      const [a, b] = [Math.max(mean * size, 1e-300), Math.max(rest * size, 1e-300)]
      const [lnA, lnB] = [lnGamma(a), lnGamma(b)]
      let sum = 0
      let weightedSum = 0
      for (let q = 0; q < patterns.length; q++) {
        const { rows, correct, groups } = patterns[q] as Pattern
        const hits = correct > 0 ? lnGamma(a + correct) - lnA : 0
        const misses = rows > correct ? lnGamma(b + rows - correct) - lnB : 0
        const term = groups * ((shift[q] as number) + hits + misses)
        sum += term
        weightedSum += term * (weight[q] as number)
      }
      // Beta(1/2, c) density of rho, times rho (1 - rho) for the logit scale.
      const c = 1 + (mean - rest) ** 2
      const base =
        Math.log(angles.widths[i] as number) +
        0.5 * Math.log(value) +
        c * Math.log1p(-value) +
        lnGamma(0.5 + c) -
        lnGamma(c) +
        (prior === 'flat' ? 0.5 * Math.log(mean * rest) : 0)
      plain[j * angleCount + i] = sum + base
      weighted[j * angleCount + i] = (isEqual ? sum : weightedSum) + base
    }
  }
  return { angles, rhoCount, plain, weighted }
}

/** The part of a box in which the posterior is not negligible, one cell wider on each side. */
function narrowed(model: Model, box: Box, centre: number, width: number, logitMin: number, bothAxes: boolean): Box {
  const { angles, plain, weighted } = evaluate(model, box, anglesOf(box, centre, width, SEARCH.mu), SEARCH.rho)
  const high = (values: Float64Array, from: number, to: number) => {
    let most = Number.NEGATIVE_INFINITY
    for (let at = from; at < to; at++) most = Math.max(most, values[at] as number)
    return most - DROP
  }
  const line = high(plain, 0, plain.length)
  let [firstRho, lastRho, first, last] = [SEARCH.rho, 0, SEARCH.mu, 0]
  const include = (i: number) => {
    first = Math.min(first, i)
    last = Math.max(last, i)
  }
  for (let j = 0; j < SEARCH.rho; j++)
    for (let i = 0; i < SEARCH.mu; i++)
      if ((plain[j * SEARCH.mu + i] as number) > line) {
        firstRho = Math.min(firstRho, j)
        lastRho = Math.max(lastRho, j)
        include(i)
      }
  for (let j = firstRho; j <= lastRho && weighted !== plain; j++) {
    const own = high(weighted, j * SEARCH.mu, (j + 1) * SEARCH.mu)
    for (let i = 0; i < SEARCH.mu; i++) if ((weighted[j * SEARCH.mu + i] as number) > own) include(i)
  }
  const step = (box.rho[1] - box.rho[0]) / SEARCH.rho
  return {
    rho: [
      Math.max(logitMin, box.rho[0] + step * (firstRho - 1)),
      Math.min(LOGIT_MAX, box.rho[0] + step * (lastRho + 2)),
    ],
    angle: bothAxes
      ? [angles.edges[Math.max(0, first - 1)] as number, angles.edges[Math.min(SEARCH.mu, last + 2)] as number]
      : box.angle,
  }
}

/** Integrates rho out: each row of rho has its plain marginal probability, spread over angles by the weighted likelihood. */
function integrated({ angles, rhoCount, plain, weighted }: Grid): Posterior {
  const count = angles.middles.length
  const top = plain.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  const mass = new Float64Array(count)
  let total = 0
  for (let j = 0; j < rhoCount; j++) {
    const from = j * count
    let marginal = 0
    let rowTop = Number.NEGATIVE_INFINITY
    for (let at = from; at < from + count; at++) {
      marginal += Math.exp((plain[at] as number) - top)
      rowTop = Math.max(rowTop, weighted[at] as number)
    }
    let norm = 0
    for (let at = from; at < from + count; at++) norm += Math.exp((weighted[at] as number) - rowTop)
    for (let i = 0; i < count; i++)
      mass[i] = (mass[i] as number) + (marginal / norm) * Math.exp((weighted[from + i] as number) - rowTop)
    total += marginal
  }
  const [cumulated, beyond] = [new Float64Array(count + 1), new Float64Array(count + 1)]
  for (let i = 0; i < count; i++) cumulated[i + 1] = (cumulated[i] as number) + (mass[i] as number) / total
  for (let i = count; i > 0; i--) beyond[i - 1] = (beyond[i] as number) + (mass[i - 1] as number) / total
  return { edges: angles.edges, cumulated, beyond }
}

/** ln Gamma(x), x > 0, to some 1e-11: Stirling's series above 9. Called 100,000 times per interval, so faster than `logGamma`. */
function lnGamma(x: number): number {
  let product = 1
  let shifted = x
  while (shifted < 9) {
    product *= shifted
    shifted++
  }
  const q = 1 / (shifted * shifted)
  const series = (((q / 1188 - 1 / 1680) * q + 1 / 1260) * q - 1 / 360) * q + 1 / 12
  return (
    (shifted - 0.5) * Math.log(shifted) -
    shifted +
    0.9189385332046728 +
    series / shifted -
    (product === 1 ? 0 : Math.log(product))
  )
}
