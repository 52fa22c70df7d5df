import { below, type Estimate, type Stream } from '../../../core/index.ts'
import { quantileSorted } from '../../../libraries/statistics/index.ts'
import type { Labelled } from './auc-of.ts'

/** A point of a ROC curve. */
interface RocPoint {
  /** Share of the strings outside that are accepted. */
  readonly falseAlarms: number
  /** Share of the strings of the language that are accepted. */
  readonly hits: number
}

/**
 * The ROC curve: from (0, 0) to (1, 1), one point after each score from the highest on; equal scores are one slope, so that the area
 * below is the AUC with ties counting one half. null where either class is empty.
 */
export function rocOf({ scores, positive }: Labelled): readonly RocPoint[] | null {
  const inside = positive.filter(Boolean).length
  const outside = positive.length - inside
  if (inside === 0 || outside === 0) return null
  const order = scores.map((_, i) => i).sort((a, b) => (scores[b] as number) - (scores[a] as number))
  const points: RocPoint[] = [{ falseAlarms: 0, hits: 0 }]
  let [kept, passed] = [0, 0]
  for (const [at, i] of order.entries()) {
    if (positive[i]) kept++
    else passed++
    const next = order[at + 1]
    if (next === undefined || scores[next] !== scores[i])
      points.push({ falseAlarms: passed / outside, hits: kept / inside })
  }
  return points
}

/** Hits at a share of false alarms: the upper end where the curve is upright there, between two points on the line. */
export function hitsAt(curve: readonly RocPoint[], falseAlarms: number): number {
  const right = curve.findIndex((point) => point.falseAlarms > falseAlarms)
  const left = curve[(right === -1 ? curve.length : right) - 1] as RocPoint
  const next = curve[right]
  if (next === undefined) return left.hits
  const share = (falseAlarms - left.falseAlarms) / (next.falseAlarms - left.falseAlarms)
  return left.hits + share * (next.hits - left.hits)
}

/** The shares of false alarms at which curves are averaged. */
export const grid: readonly number[] = [0, 0.02, 0.05, ...Array.from({ length: 9 }, (_, i) => (i + 1) / 10), 1]

const resamples = 200

/**
 * Hits at each share of false alarms of {@link grid}, the mean over repetitions at equal false alarms (Fawcett, Pattern Recognition
 * Letters 27, 2006, 9.1): losses of different example lists are never ranked together. Interval: percentiles of the bootstrap over
 * the strings of each repetition, the two classes apart; the example lists are taken as they are.
 */
export function averageRoc(
  repetitions: readonly Labelled[],
  stream: Stream,
): readonly { readonly falseAlarms: number; readonly hits: Estimate }[] {
  const used = repetitions.filter((one) => rocOf(one) !== null)
  if (used.length === 0) return []
  const curve = (all: readonly Labelled[]): readonly number[] => {
    const curves = all.map((one) => rocOf(one) ?? [])
    return grid.map((share) => curves.reduce((sum, points) => sum + hitsAt(points, share), 0) / curves.length)
  }
  const shown = curve(used)
  const drawn = Array.from({ length: resamples }, () => curve(used.map((one) => resampled(one, stream))))
  const n = used.reduce((sum, { scores }) => sum + scores.length, 0)
  return grid.map((falseAlarms, i) => {
    const sorted = Float64Array.from(drawn, (values) => values[i] as number).sort()
    const [low, high] = [quantileSorted(sorted, 0.025), quantileSorted(sorted, 0.975)]
    const method = `mean of ${used.length} repetitions, bootstrap 95 % over strings, ${resamples} resamples`
    return { falseAlarms, hits: { value: shown[i] as number, low, high, n, method } }
  })
}

function resampled({ scores, positive }: Labelled, stream: Stream): Labelled {
  const again = (wanted: boolean): number[] => {
    const own = scores.filter((_, i) => positive[i] === wanted)
    return own.map(() => own[below(stream, own.length)] as number)
  }
  const [inside, outside] = [again(true), again(false)]
  return { scores: [...inside, ...outside], positive: [...inside.map(() => true), ...outside.map(() => false)] }
}
