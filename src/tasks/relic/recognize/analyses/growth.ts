import { type Analysis, column, type Estimate, type Frame } from '../../../../core/index.ts'
import { design, linear, mean } from '../../../../libraries/statistics/index.ts'
import { balanced, byLength, means, tally } from './cells.ts'
import { PAPER } from './paper.ts'
import { byArm, needs, publishedResponses, type Responses } from './responses.ts'
import { spentIn } from './spent.ts'

/** Section 7.3: a chain of thought that parses grows at least like n^1.7 and need not grow faster than n^6; CYK takes n^3. */
const MIN = 1.7
const CYK = 3
const MAX = 6

/** How fast test-time compute grows with the length of the string, up to where it peaks. */
export const growth: Analysis = {
  id: 'relic/growth',
  title: 'Growth of test-time compute with string length',
  source: { paper: PAPER, item: 'Section 7.3' },
  notes: [
    'Exponent b of tokens = a n^b: least squares of log tokens on log length, one point a length, up to the length at which the model spends most; after it, apart. Parsing asks for 1.7 at least (a transformer that simulates a cubic parser) and no more than 6.',
    'Tokens are the mean of the two class means at a length. Fewer than four lengths give no exponent.',
  ],
  needs,
  run(frame, options) {
    const data = publishedResponses(frame, options)
    const rows = byArm(data).flatMap(({ model, entries }) => exponents(frame, data, model, entries))
    if (rows.length === 0) return { tables: [] }
    return {
      tables: [
        {
          id: 'relic/growth',
          title: 'Exponent of completion tokens over string length',
          columns: [
            column.text('model', 'Model'),
            column.number('peak', 'Peak length', 'tokens'),
            column.estimate('rising', 'Exponent up to the peak', null),
            column.estimate('after', 'Exponent after it', null),
            column.number('least', 'Parsing, at least'),
            column.number('cyk', 'CYK'),
            column.number('most', 'Parsing, at most'),
          ],
          rows,
        },
      ],
    }
  },
}

function exponents(frame: Frame, data: Responses, model: string, entries: Int32Array) {
  const spent = spentIn(frame)
  const tokens = (k: number) => spent[data.row[k] as number] as number
  const known = entries.filter((k) => tokens(k) > 0)
  const points = byLength(data, known).map(([length, inside]) => {
    const classes = means(tally(inside, (k) => data.label[k], tokens).values())
    return { length, tokens: mean(classes) }
  })
  const top = points.toSorted((a, b) => b.tokens - a.tokens)[0]
  if (top === undefined) return []
  const rising = exponent(points.filter(({ length }) => length <= top.length))
  const after = exponent(points.filter(({ length }) => length >= top.length))
  return [{ model, peak: top.length, rising, after, least: MIN, cyk: CYK, most: MAX }]
}

function exponent(points: readonly { readonly length: number; readonly tokens: number }[]): Estimate | null {
  if (points.length < 4) return null
  const fit = linear(
    design({ x: { kind: 'numeric', values: points.map(({ length }) => Math.log(length)) } }, [['x']]),
    points.map((point) => Math.log(point.tokens)),
  )
  const slope = fit.kind === 'unfit' ? undefined : fit.coefficients[1]
  return slope === undefined
    ? null
    : { value: slope.estimate, low: slope.low, high: slope.high, n: points.length, method: 'least squares, 95 %' }
}

/** Where accuracy falls: the middle of a logistic fall in log length. */
export const inflection: Analysis = {
  id: 'relic/inflection',
  title: 'Length at which accuracy falls',
  source: { paper: PAPER, item: 'Section 5.2' },
  notes: [
    'Accuracy = high - (high - low) / (1 + (middle / length)^steepness), least squares over lengths of the mean of the two class accuracies, with middle and steepness searched on a grid. A model whose accuracy is better fitted by a constant (F test at .01) has none. The paper reads 5 to 15 off its figure.',
  ],
  needs: [...needs],
  run(frame, options) {
    const data = publishedResponses(frame, options)
    const rows = byArm(data).flatMap(({ model, entries }) => {
      const points = byLength(data, entries).flatMap(([length, inside]) => {
        const accuracy = balanced(data, inside)
        return accuracy === null || length < 2 ? [] : [{ length, accuracy, weight: inside.length }]
      })
      const fitted = fall(points)
      return fitted === null ? [] : [{ model, lengths: points.length, ...fitted }]
    })
    if (rows.length === 0) return { tables: [] }
    return {
      tables: [
        {
          id: 'relic/inflection',
          title: 'Length at which accuracy falls',
          columns: [
            column.text('model', 'Model'),
            column.number('lengths', 'Lengths'),
            column.number('middle', 'Middle of the fall', 'tokens'),
            column.share('high', 'Accuracy before'),
            column.share('low', 'Accuracy after'),
            column.share('explained', 'Explained variance'),
          ],
          rows,
        },
      ],
    }
  },
}

interface Point {
  readonly length: number
  readonly accuracy: number
  readonly weight: number
}

/** Of 99 % of F(3, n - 4) for n - 4 above 10, at most 6.55. */
const SURE = 6.55

function fall(points: readonly Point[]) {
  if (points.length < 15) return null
  const total = points.reduce((sum, { weight }) => sum + weight, 0)
  const mean = points.reduce((sum, { accuracy, weight }) => sum + weight * accuracy, 0) / total
  const around = points.reduce((sum, { accuracy, weight }) => sum + weight * (accuracy - mean) ** 2, 0)
  if (around === 0) return null
  let best: { readonly left: number; readonly middle: number; readonly high: number; readonly low: number } | null =
    null
  const [shortest, longest] = [(points[0] as Point).length, (points.at(-1) as Point).length]
  for (let middle = shortest; middle <= longest; middle += 0.5)
    for (const steepness of [1, 2, 4, 8]) {
      const found = levels(points, ({ length }) => 1 / (1 + (middle / length) ** steepness))
      if (found !== null && found.high > found.low && (best === null || found.left < best.left))
        best = { middle, ...found }
    }
  if (best === null) return null
  const gain = (around - best.left) / 3 / (best.left / (points.length - 4))
  if (gain < SURE) return null
  const { middle, high, low, left } = best
  return { middle, high, low, explained: 1 - left / around }
}

/** The two levels that fit best where `after` says how much of the fall is done. */
function levels(points: readonly Point[], after: (point: Point) => number) {
  let [w, wx, wxx, wy, wxy, wyy] = [0, 0, 0, 0, 0, 0]
  for (const point of points) {
    const [x, y, weight] = [after(point), point.accuracy, point.weight]
    w += weight
    wx += weight * x
    wxx += weight * x * x
    wy += weight * y
    wxy += weight * x * y
    wyy += weight * y * y
  }
  const determinant = w * wxx - wx * wx
  if (determinant < 1e-9 * w * w) return null
  const slope = (w * wxy - wx * wy) / determinant
  const high = (wy - slope * wx) / w
  const left = wyy - high * wy - slope * wxy
  return { high, low: high + slope, left: Math.max(left, 1e-12) }
}
