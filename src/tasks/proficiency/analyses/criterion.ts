import { type Analysis, column, tableOf } from '../../../core/index.ts'
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
    const rows = curves.flatMap(({ byK, ...of }) =>
      outsideDistances(curves).flatMap((distance) => {
        const points = aucsOf(byK, distance)
        return points.length < 2 ? [] : CRITERIA.map((wanted) => ({ key: { ...of, distance }, points, wanted }))
      }),
    )
    const at =
      (end: 'value' | 'low' | 'high') =>
      ({ points, wanted }: (typeof rows)[number]) =>
        crossing(
          points.map(({ k, auc }) => ({ k, value: auc[end] })),
          wanted,
        )
    const title = 'Examples until the length-matched AUC reaches a criterion'
    const examples = tableOf('proficiency/criterion', title, [model, language, distanceColumn], rows, [
      [column.share('criterion', 'Criterion'), ({ wanted }) => wanted],
      [column.number('examples', 'Examples'), at('value')],
      [column.number('least', 'At least'), at('high')],
      [column.number('mostly', 'At most'), at('low')],
      [
        column.text('state', 'Reached'),
        (row) => {
          const reached = at('value')(row)
          return reached === null ? 'no' : reached === row.points[0]?.k ? 'at the fewest tested' : 'yes'
        },
      ],
      [column.number('most', 'Most examples tested'), ({ points }) => points.at(-1)?.k ?? null],
    ])
    return { tables: [examples] }
  },
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
