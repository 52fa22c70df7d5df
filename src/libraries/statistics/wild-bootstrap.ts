import { below } from '../../core/random.ts'
import { namedStream } from '../../core/streams.ts'
import { type Clustering, type Clusters, checkLengths, clustering, clusterSums } from './clusters.ts'
import { checkConfidence } from './confidence.ts'
import { usesWildBootstrap } from './group-counts.ts'
import { bisect } from './numeric.ts'

/** A standard error this small is the rounding of means that are equal. */
const ROUNDING = 1e-12
/** Statistics that differ by rounding only count as equal. */
const SLACK = 1 - 1e-9
/** Halvings of the distance from the mean to a bound: to 1e-9 of it. */
const HALVINGS = 30

/** The test of one mean over groups against every value that it could have. */
export interface WildTest {
  readonly groups: number
  /** All patterns of weights, or a sample. */
  readonly kind: 'exact' | 'sampled'
  /** Two-sided, of the hypothesis that the mean is this. */
  p(mean: number): number
  /** Means within the bounds that are not rejected at 1 - confidence; infinite where none is rejected and there is no bound. */
  interval(confidence: number, bounds?: readonly [number, number]): { readonly low: number; readonly high: number }
}

/**
 * Wild cluster bootstrap-t of a mean with the null imposed (Cameron, Gelbach and Miller, Review of Economics and Statistics 90,
 * 2008; weights of Webb): under the hypothesis m the residuals S_g - n_g m of whole groups are multiplied by a pattern of weights, and the t of the
 * data, with its CR2 error, is compared with the t of each pattern. p is the share of patterns with |t| as large, where they are
 * sampled (1 + as large) / (1 + patterns); the interval inverts the test.
 *
 * null outside of 4 to 11 groups, where all groups have one mean, and where the rows of no group differ, so that groups are plain
 * independent observations: then other methods apply.
 */
export function wildTest(values: ArrayLike<number>, clusters: Clusters): WildTest | null {
  checkLengths('values and clusters', values, clusters)
  const groups = clustering(clusters)
  const n = values.length
  if (!usesWildBootstrap(groups.count)) return null
  const sums = clusterSums(values, groups)
  if (!differInside(values, groups, sums)) return null
  const mean = sums.reduce((total, sum) => total + sum, 0) / n
  const order = canonical(groups.sizes, (g) => (sums[g] as number) - mean * (groups.sizes[g] as number))
  const residuals = Float64Array.from(order, ({ residual }) => residual)
  const sizes = Int32Array.from(order, ({ size }) => size)
  const left = Float64Array.from(sizes, (size) => 1 - size / n)
  const variance = residuals.reduce((total, r, g) => total + (r * r) / (left[g] as number), 0)
  if (Math.sqrt(variance) / n < ROUNDING) return null
  const { kind, count, weights } = webbWeights(groups.count)
  const patterns = polynomials(weights, residuals, sizes, left)
  const p = (hypothesis: number): number => {
    const d = mean - hypothesis
    const bound = ((n * d) ** 2 / variance) * SLACK
    let large = 0
    for (let k = 0; k < patterns.length; k += TERMS) {
      const sum = (patterns[k] as number) + d * (patterns[k + 1] as number)
      const spread = (patterns[k + 2] as number) + d * ((patterns[k + 3] as number) + d * (patterns[k + 4] as number))
      if (sum * sum >= bound * spread) large++
    }
    return kind === 'exact' ? large / count : (1 + large) / (1 + count)
  }
  const scale = Math.sqrt(variance) / n
  return {
    groups: groups.count,
    kind,
    p,
    interval(confidence, [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]) {
      const alpha = 1 - checkConfidence(confidence)
      const kept = (at: number): boolean => p(at) > alpha
      return { low: edge(kept, mean, least, -scale), high: edge(kept, mean, most, scale) }
    },
  }
}

/** Groups in a canonical order, so that results do not depend on the order of rows or the sign of values. */
function canonical(sizes: Int32Array, residualOf: (group: number) => number) {
  return Array.from(sizes, (size, g) => ({ size, residual: residualOf(g) })).sort(
    (a, b) => a.size - b.size || Math.abs(a.residual) - Math.abs(b.residual) || a.residual - b.residual,
  )
}

function differInside(values: ArrayLike<number>, { of, sizes }: Clustering, sums: Float64Array): boolean {
  for (let i = 0; i < values.length; i++) {
    const g = of[i] as number
    if (Math.abs((values[i] as number) - (sums[g] as number) / (sizes[g] as number)) > ROUNDING) return true
  }
  return false
}

/** Of each pattern: its sum A + B d, and the variance C + D d + E d^2 of it, in the distance d of the mean from the hypothesis. */
const TERMS = 5

/**
 * The sum of a pattern w is sum_g w_g (r_g + n_g d), its CR2 variance sum_g (w_g (r_g + n_g d) - n_g / n sum)^2 / (1 - n_g / n): polynomials,
 * so that the groups are gone through once and each hypothesis costs a few multiplications a pattern.
 */
function polynomials(
  weights: Float64Array,
  residuals: Float64Array,
  sizes: Int32Array,
  left: Float64Array,
): Float64Array {
  const groups = sizes.length
  const terms = new Float64Array((weights.length / groups) * TERMS)
  for (let at = 0, k = 0; at < weights.length; at += groups, k += TERMS) {
    let [a, b] = [0, 0]
    for (let g = 0; g < groups; g++) {
      const weight = weights[at + g] as number
      a += weight * (residuals[g] as number)
      b += weight * (sizes[g] as number)
    }
    let [c, d, e] = [0, 0, 0]
    for (let g = 0; g < groups; g++) {
      const weight = weights[at + g] as number
      const rest = left[g] as number
      const u = weight * (residuals[g] as number) - (1 - rest) * a
      const v = weight * (sizes[g] as number) - (1 - rest) * b
      c += (u * u) / rest
      d += (2 * u * v) / rest
      e += (v * v) / rest
    }
    terms[k] = a
    terms[k + 1] = b
    terms[k + 2] = c
    terms[k + 3] = d
    terms[k + 4] = e
  }
  return terms
}

/** The edge of the kept values, starting from one inside; the bound itself if it is kept. */
function edge(kept: (at: number) => boolean, inside: number, bound: number, step: number): number {
  let far = bound
  if (Number.isFinite(bound)) {
    if (kept(bound)) return bound
  } else {
    let reach = step
    while (kept(inside + reach)) {
      reach *= 2
      if (Math.abs(reach) > Math.abs(step) * 2 ** 40) return bound
    }
    far = inside + reach
  }
  return bisect(kept, inside, far, HALVINGS)[1]
}

/** Webb's six points (Queen's Economics Department paper 1315, 2014): mean 0, variance 1, and 6^G patterns where signs have but 2^G. */
const POINTS = [-Math.sqrt(1.5), -1, -Math.sqrt(0.5), Math.sqrt(0.5), 1, Math.sqrt(1.5)] as const
/** Up to this many groups all patterns are used: 6^5 = 7,776. */
const EXACT_GROUPS = 5
const DRAWS = 4999

/** Weights of the groups, pattern after pattern. */
export interface WeightPatterns {
  readonly kind: 'exact' | 'sampled'
  readonly count: number
  readonly weights: Float64Array
}

const patternsOf = new Map<number, WeightPatterns>()

/**
 * Patterns of weights. Up to five groups all, without mirror images, which have the same |t|; beyond, 4,999 fixed random
 * ones, so that results need no seed.
 */
export function webbWeights(groups: number): WeightPatterns {
  const known = patternsOf.get(groups)
  if (known !== undefined) return known
  const patterns = groups <= EXACT_GROUPS ? all(groups) : drawn(groups)
  patternsOf.set(groups, patterns)
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
