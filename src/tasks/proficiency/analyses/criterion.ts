import { type Analysis, column, type Estimate, table } from '../../../core/index.ts'
import { aucsOf } from './auc-of.ts'
import { curvesOf, distanceColumn, language, model, needs, outsideDistances } from './contexts.ts'

/** AUCs to reach: the borders of the paper's bands, and near certainty. */
const CRITERIA = [0.6, 0.75, 0.95] as const

/** The number of examples at which the AUC reaches a criterion for good. */
export const criterion: Analysis = {
  id: 'proficiency/criterion',
  title: 'Examples to criterion',
  notes: [
    'Examples at which the length-matched AUC reaches a criterion and keeps it at all larger numbers; interpolated over the log of the number.',
    'At least / at most: where the upper and the lower end of the 95 % CI of the AUC reach it. Empty: never within the tested numbers.',
  ],
  needs,
  run(frame) {
    const curves = curvesOf(frame)
    const rows = curves.flatMap((curve) =>
      outsideDistances(curves).flatMap((distance) => {
        const points = aucsOf(curve.byK, distance)
        if (points.length < 2) return []
        const most = points.at(-1)?.k ?? null
        const of = { model: curve.model, language: curve.language, distance }
        return CRITERIA.map((wanted) => ({ ...of, criterion: wanted, ...reached(points, wanted), most }))
      }),
    )
    const examples = table(
      'proficiency/criterion',
      'Examples until the length-matched AUC reaches a criterion',
      [
        model,
        language,
        distanceColumn,
        column.share('criterion', 'Criterion'),
        column.number('examples', 'Examples'),
        column.number('least', 'At least'),
        column.number('mostly', 'At most'),
        column.text('state', 'Reached'),
        column.number('most', 'Most examples tested'),
      ],
      rows,
    )
    return { tables: [examples] }
  },
}

interface Point {
  readonly k: number
  readonly auc: Estimate
}

function reached(points: readonly Point[], wanted: number) {
  const at = (of: (auc: Estimate) => number) =>
    crossing(
      points.map(({ k, auc }) => ({ k, value: of(auc) })),
      wanted,
    )
  const examples = at(({ value }) => value)
  const state = examples === null ? 'no' : examples === points[0]?.k ? 'at the fewest tested' : 'yes'
  return { examples, least: at(({ high }) => high), mostly: at(({ low }) => low), state }
}

/** Where a curve stays above a value from then on; null: it never does. */
export function crossing(
  points: readonly { readonly k: number; readonly value: number }[],
  wanted: number,
): number | null {
  const below = points.findLastIndex(({ value }) => value < wanted)
  const [before, after] = [points[below], points[below + 1]]
  if (after === undefined) return null
  if (before === undefined) return after.k
  const part = (wanted - before.value) / (after.value - before.value)
  const between = before.k < 1 ? before.k + part * (after.k - before.k) : before.k * (after.k / before.k) ** part
  return Number(between.toPrecision(4))
}
