import { type Analysis, column, type Estimate } from '../../../core/index.ts'
import { atDistance } from './auc-of.ts'
import { type Context, type Curve, curvesOf, distancesOf, lossOf, needs, number, text } from './cells.ts'
import { matchedAuc } from './matched.ts'

/** AUCs to be reached: the borders of the paper's bands, and all but certain. */
const CRITERIA = [0.6, 0.75, 0.95] as const

/** How many examples it takes: the number at which the AUC first reaches a criterion. */
export const criterion: Analysis = {
  id: 'proficiency/criterion',
  title: 'Examples to criterion',
  notes: [
    'The number of examples at which the length-matched AUC reaches a criterion and keeps it at all larger numbers that were asked; between two numbers that were asked by a straight line over the logarithm of the number (over the number itself below 1).',
    'Interval: where the upper and where the lower end of the AUC’s own 95 % interval reach it, so that it holds for each number of examples by itself. At most: empty where the lower end never does. Not reached: more examples than were asked.',
    'At each distance of the run.',
  ],
  needs,
  run(frame) {
    const curves = curvesOf(frame)
    const distances = distancesOf(curves).filter((distance) => distance !== '0')
    const rows = curves.flatMap((curve) =>
      distances.flatMap((distance) => {
        const points = pointsOf(curve, distance)
        return points.length < 2
          ? []
          : CRITERIA.map((wanted) => ({
              model: curve.model,
              language: curve.language,
              distance,
              criterion: wanted,
              ...reached(points, wanted),
              most: (points.at(-1) as Point).k,
            }))
      }),
    )
    if (rows.length === 0) return { tables: [] }
    return {
      tables: [
        {
          id: 'proficiency/criterion',
          title: 'Examples until the length-matched AUC reaches a criterion',
          columns: [
            text('model', 'Model'),
            text('language', 'Language'),
            text('distance', 'Distance'),
            column.share('criterion', 'Criterion'),
            number('examples', 'Examples'),
            number('least', 'At least'),
            number('mostly', 'At most'),
            text('state', 'Reached?'),
            number('most', 'Most examples asked'),
          ],
          rows,
        },
      ],
    }
  },
}

interface Point {
  readonly k: number
  readonly auc: Estimate
}

const pointsOf = ({ byK }: Curve, distance: string): readonly Point[] =>
  [...byK].flatMap(([k, contexts]: readonly [number, readonly Context[]]) => {
    const found = matchedAuc(contexts, atDistance(distance), (s) => -lossOf(s))
    return found.kind === 'auc' ? [{ k, auc: found.estimate }] : []
  })

function reached(points: readonly Point[], wanted: number) {
  const at = (of: (auc: Estimate) => number) =>
    crossing(
      points.map(({ k, auc }) => ({ k, value: of(auc) })),
      wanted,
    )
  const examples = at(({ value }) => value)
  const state = examples === null ? 'no' : examples === points[0]?.k ? 'at the fewest asked' : 'yes'
  return { examples, least: at(({ high }) => high), mostly: at(({ low }) => low), state }
}

/** Where a curve comes above a value for good; null: it never does. */
export function crossing(
  points: readonly { readonly k: number; readonly value: number }[],
  wanted: number,
): number | null {
  const below = points.findLastIndex(({ value }) => value < wanted)
  const [before, after] = [points[below], points[below + 1]]
  if (after === undefined) return null
  if (before === undefined) return after.k
  const share = (wanted - before.value) / (after.value - before.value)
  const between = before.k < 1 ? before.k + share * (after.k - before.k) : before.k * (after.k / before.k) ** share
  return Number(between.toPrecision(4))
}
