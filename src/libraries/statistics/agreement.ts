import { mean } from './moments.ts'

/** `labels[r][u]` is the label of rater r for unit u, a code from 0; -1: no label. */
export type Ratings = readonly (readonly number[])[]

/**
 * Krippendorff's alpha for nominal labels (Content Analysis, 2004, chapter 11): 1 - observed / expected disagreement over all
 * pairs of labels inside units; units with fewer than two labels do not count. It allows for missing labels and any number of
 * raters. null where no unit has two labels, or all labels are the same: nothing could disagree.
 *
 * @example
 * import { krippendorffAlpha } from '@touchstone-eval/touchstone/statistics'
 *
 * const raters = [[0, 0, 1, 1], [0, 0, 1, 0], [0, 1, 1, 0]]
 * console.log(krippendorffAlpha(raters)?.toFixed(4)) // 0.3714
 */
export function krippendorffAlpha(ratings: Ratings): number | null {
  const units = unitsOf(ratings).filter((labels) => labels.length > 1)
  const totals = new Map<number, number>()
  let n = 0
  let observed = 0
  for (const labels of units) {
    const counts = tally(labels)
    n += labels.length
    for (const [label, count] of counts) {
      totals.set(label, (totals.get(label) ?? 0) + count)
      observed += (count * (labels.length - count)) / (labels.length - 1)
    }
  }
  let expected = 0
  for (const count of totals.values()) expected += count * (n - count)
  return expected === 0 ? null : 1 - (observed * (n - 1)) / expected
}

/**
 * Fleiss' kappa (Psychological Bulletin 76, 1971) over the units that all raters labelled. null where there is no such unit, fewer
 * than two raters, or only one label was ever given.
 *
 * @example
 * import { fleissKappa } from '@touchstone-eval/touchstone/statistics'
 *
 * const raters = [[0, 0, 1, 1], [0, 0, 1, 0], [0, 1, 1, 0]]
 * console.log(fleissKappa(raters)?.toFixed(4)) // 0.3143
 */
export function fleissKappa(ratings: Ratings): number | null {
  const units = unitsOf(ratings).filter((labels) => labels.length === ratings.length)
  if (ratings.length < 2 || units.length === 0) return null
  const totals = new Map<number, number>()
  const agreement = units.map((labels) => {
    let pairs = 0
    for (const [label, count] of tally(labels)) {
      totals.set(label, (totals.get(label) ?? 0) + count)
      pairs += count * (count - 1)
    }
    return pairs / (labels.length * (labels.length - 1))
  })
  const all = units.length * ratings.length
  return chanceCorrected(
    mean(agreement),
    sumOf(totals.values(), (count) => (count / all) ** 2),
  )
}

/**
 * Cohen's kappa (1960) of two raters over the units that both labelled. null where there is none, or chance alone agrees always.
 *
 * @example
 * import { cohenKappa } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(cohenKappa([0, 0, 1, 1], [0, 0, 1, 0])) // 0.5
 */
export function cohenKappa(a: readonly number[], b: readonly number[]): number | null {
  const both = a.flatMap((label, u) => (label < 0 || (b[u] ?? -1) < 0 ? [] : [[label, b[u] as number] as const]))
  if (both.length === 0) return null
  const [first, second] = [tally(both.map(([label]) => label)), tally(both.map(([, label]) => label))]
  const expected = sumOf(first, ([label, count]) => (count * (second.get(label) ?? 0)) / both.length ** 2)
  return chanceCorrected(both.filter(([x, y]) => x === y).length / both.length, expected)
}

/**
 * The mean over units of the share of the largest group of raters that agree; null where no unit has two labels.
 *
 * @example
 * import { largestShare } from '@touchstone-eval/touchstone/statistics'
 *
 * const raters = [[0, 0, 1, 1], [0, 0, 1, 0], [0, 1, 1, 0]]
 * console.log(largestShare(raters)?.toFixed(4)) // 0.8333
 */
export function largestShare(ratings: Ratings): number | null {
  const units = unitsOf(ratings).filter((labels) => labels.length > 1)
  if (units.length === 0) return null
  return mean(units.map((labels) => Math.max(...tally(labels).values()) / labels.length))
}

/** One rater, such as a judge model, held against all others. */
export interface AgainstOthers {
  /** Fraction of the units with a majority of the others where the rater agrees with it; null: no such unit. */
  readonly majority: number | null
  /** Units with such a majority. */
  readonly units: number
  /** Mean fraction of the others that agree with the rater; null: no unit has both. */
  readonly weighted: number | null
}

/**
 * A rater's labels against those of all others; a tie of the others is no majority.
 *
 * @example
 * import { againstOthers } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(againstOthers([0, 1, 1], [[0, 1, 0], [0, 1, 0], [1, 1, 0]]).majority?.toFixed(4)) // 0.6667
 */
export function againstOthers(rater: readonly number[], others: Ratings): AgainstOthers {
  let [decided, withThem, weighed, weight] = [0, 0, 0, 0]
  for (const [u, label] of rater.entries()) {
    const given = others.map((labels) => labels[u] ?? -1).filter((other) => other >= 0)
    if (label < 0 || given.length === 0) continue
    const counts = tally(given)
    const same = counts.get(label) ?? 0
    weighed++
    weight += same / given.length
    const most = Math.max(...counts.values())
    if (most * 2 <= given.length) continue
    decided++
    if (same === most) withThem++
  }
  return {
    majority: decided === 0 ? null : withThem / decided,
    units: decided,
    weighted: weighed === 0 ? null : weight / weighed,
  }
}

const chanceCorrected = (observed: number, expected: number): number | null =>
  expected >= 1 ? null : (observed - expected) / (1 - expected)

/** The labels that were given to each unit. */
function unitsOf(ratings: Ratings): readonly (readonly number[])[] {
  const [first = []] = ratings
  if (ratings.some(({ length }) => length !== first.length))
    throw new RangeError(
      `expected one entry per unit from every rater, got ${ratings.map(({ length }) => length).join(', ')}`,
    )
  return first.map((_, u) => ratings.map((labels) => labels[u] as number).filter((label) => label >= 0))
}

function tally(labels: readonly number[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  return counts
}

function sumOf<T>(values: Iterable<T>, of: (value: T) => number): number {
  let sum = 0
  for (const value of values) sum += of(value)
  return sum
}
