import type { Contrast } from '../../src/libraries/statistics/index.ts'
import { webbWeights } from '../../src/libraries/statistics/wild-bootstrap.ts'

/** One side of a stratum: its weight with its sign, and of each group residual sum and share of the side's rows. */
interface Cell {
  readonly weight: number
  readonly residual: Float64Array
  readonly share: Float64Array
  /** By how much the fitted mean moves where the gap is held a unit lower. */
  readonly shift: number
}

/** Patterns looked at: of so many, p is told to half a point at 5 %. */
const PATTERNS = 999

/**
 * p of a gap in differences against a value, two-sided and of more, by the wild cluster bootstrap-t with the null imposed: strata
 * give way to the value as least squares lets them, and each pattern multiplies the residuals of whole groups.
 */
export function wildGap(rows: readonly Contrast[], value: number): { readonly both: number; readonly above: number } {
  const names = [...new Set(rows.map(({ group }) => group))]
  const { cells, gap } = cellsOf(rows, names)
  const { count: there, weights } = webbWeights(names.length)
  const count = Math.min(there, PATTERNS)
  const away = gap - value
  const own = away / Math.sqrt(statistic(cells, 0, () => 1).variance)
  let [both, above] = [0, 0]
  for (let pattern = 0; pattern < count; pattern++) {
    const { sum, variance } = statistic(cells, away, (g) => weights[pattern * names.length + g] as number)
    const t = sum / Math.sqrt(variance)
    if (Math.abs(t) >= Math.abs(own)) both++
    // Weights are symmetric: the mirror image of a pattern has the opposite sign.
    if (t >= own) above++
    if (-t >= own) above++
  }
  return { both: (1 + both) / (1 + count), above: (1 + above) / (1 + 2 * count) }
}

function cellsOf(rows: readonly Contrast[], names: readonly string[]) {
  const strata = [...Map.groupBy(rows, ({ stratum }) => stratum).values()].map((own) => ({
    published: own.filter(({ side }) => side === 'published'),
    fresh: own.filter(({ side }) => side === 'fresh'),
  }))
  const total = strata.reduce((sum, { published }) => sum + published.length, 0)
  // Of a stratum with p and f rows the gap has the variance 1/p + 1/f: where that is large, it gives way most.
  const give = strata.map(({ published: { length: p }, fresh: { length: f } }) => (p / total) * (1 / p + 1 / f))
  const all = strata.reduce((sum, { published }, s) => sum + (published.length / total) * (give[s] as number), 0)
  const cells = strata.flatMap(({ published, fresh }, s): Cell[] => {
    const [p, f] = [published.length, fresh.length]
    const change = (give[s] as number) / all
    return [
      cellOf(published, names, p / total, (change * f) / (p + f)),
      cellOf(fresh, names, -p / total, (-change * p) / (p + f)),
    ]
  })
  const gap = strata.reduce(
    (sum, { published, fresh }) => sum + (published.length / total) * (mean(published) - mean(fresh)),
    0,
  )
  return { cells, gap }
}

function cellOf(rows: readonly Contrast[], names: readonly string[], weight: number, shift: number): Cell {
  const middle = mean(rows)
  const residual = new Float64Array(names.length)
  const share = new Float64Array(names.length)
  for (const { group, value } of rows) {
    const g = names.indexOf(group)
    residual[g] = (residual[g] as number) + (value - middle) / rows.length
    share[g] = (share[g] as number) + 1 / rows.length
  }
  return { weight, residual, share, shift }
}

const mean = (rows: readonly Contrast[]): number => rows.reduce((sum, { value }) => sum + value, 0) / rows.length

/** The gap that a pattern makes, and its CR2 variance. */
function statistic(cells: readonly Cell[], away: number, multiplier: (group: number) => number) {
  const own = new Float64Array(cells[0]?.share.length ?? 0)
  let sum = 0
  for (const { weight, residual, share, shift } of cells) {
    const made = residual.map((r, g) => multiplier(g) * (r + shift * away * (share[g] as number)))
    const middle = made.reduce((total, one) => total + one, 0)
    sum += weight * middle
    for (const [g, part] of share.entries())
      if (part > 0) own[g] = (own[g] as number) + (weight * ((made[g] as number) - part * middle)) / Math.sqrt(1 - part)
  }
  return { sum, variance: own.reduce((total, one) => total + one * one, 0) }
}
