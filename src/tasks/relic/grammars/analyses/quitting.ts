import type { Estimate } from '../../../../core/index.ts'
import {
  analysisStream,
  type ClusterStatistic,
  clusterBootstrap,
  quantileSorted,
} from '../../../../libraries/statistics/index.ts'

const DRAWS = 200
/** Places of a knot that are tried, as quantiles of the work: with fewer, intervals shrink to one of them and miss the place between two. */
const KNOTS = Array.from({ length: 99 }, (_, k) => (k + 1) / 100)

/** Of each group, sums of products of columns, the last being what is explained. */
export const products = <T>(groups: readonly (readonly T[])[], columns: (one: T) => readonly number[]) =>
  groups.map((inside) => {
    const all = inside.map(columns)
    const width = all[0]?.length ?? 0
    const sums = new Float64Array(width * width)
    for (const row of all)
      for (let a = 0; a < width; a++)
        for (let b = 0; b < width; b++) sums[a * width + b]! += (row[a] as number) * (row[b] as number)
    return sums
  })

/** Least squares from sums of products, by elimination; a column that others determine has no slope. */
export function leastSquares(groups: readonly Float64Array[], counts: ArrayLike<number>, width: number) {
  const m = new Float64Array(width * width)
  for (const [g, sums] of groups.entries())
    for (let i = 0; i < m.length; i++) m[i]! += (counts[g] as number) * (sums[i] as number)
  const least = Array.from({ length: width }, (_, k) => 1e-9 * (m[k * width + k] as number))
  const isFree = (k: number) => (m[k * width + k] as number) > (least[k] as number)
  for (let pivot = 0; pivot < width - 1; pivot++)
    for (let row = 0; isFree(pivot) && row < width; row++) {
      if (row === pivot) continue
      const factor = (m[row * width + pivot] as number) / (m[pivot * width + pivot] as number)
      for (let c = 0; c < width; c++) m[row * width + c]! -= factor * (m[pivot * width + c] as number)
    }
  const slopes = Array.from({ length: width - 1 }, (_, k) =>
    isFree(k) ? (m[k * width + width - 1] as number) / (m[k * width + k] as number) : null,
  )
  return { slopes, left: m[width * width - 1] as number }
}

export const bootstrapped = (
  groups: number,
  rows: number,
  seed: number,
  label: string,
  statistic: ClusterStatistic,
): Estimate | null =>
  clusterBootstrap(groups, rows, statistic, { stream: analysisStream(seed, `relic/work/${label}`), draws: DRAWS })

/** A response: log(1 + work), and the tokens that it took. */
interface Spent {
  readonly logWork: number
  readonly tokens: number
}

/**
 * The work at which effort stops rising: the knot of a line in two pieces through log tokens on log(1 + work), its slopes, and whether
 * it rises before and not beyond. Intervals by bootstrap over groups.
 */
export function quittingPoint(groups: readonly (readonly Spent[])[], seed: number, label: string) {
  const all = groups.flat()
  const sorted = Float64Array.from(all, ({ logWork }) => logWork).sort()
  const knots = [...new Set(KNOTS.map((p) => quantileSorted(sorted, p)))].map((knot) => ({
    knot,
    sums: products(groups, ({ logWork, tokens }) => [
      1,
      Math.min(logWork, knot),
      Math.max(logWork - knot, 0),
      Math.log(tokens),
    ]),
  }))
  const best = (counts: ArrayLike<number>) =>
    knots
      .map(({ knot, sums }) => {
        const { slopes, left } = leastSquares(sums, counts, 4)
        return { at: Math.expm1(knot), before: slopes[1], after: slopes[2], left }
      })
      .toSorted((a, b) => a.left - b.left)[0]
  const [at, before, after] = (['at', 'before', 'after'] as const).map((name) =>
    bootstrapped(groups.length, all.length, seed, label, (counts) => best(counts)?.[name] ?? null),
  ) as [Estimate | null, Estimate | null, Estimate | null]
  const quits = before !== null && after !== null && before.low > 0 && after.high <= 0
  return { quits: quits ? 'yes' : 'no', at, before, after }
}
