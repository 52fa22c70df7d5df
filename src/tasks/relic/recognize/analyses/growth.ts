import { type Analysis, column, type Estimate, type Frame, table } from '../../../../core/index.ts'
import { design, linear } from '../../../../libraries/statistics/index.ts'
import { tokensByLength } from './figure6.ts'
import { byArm, needs, publishedResponses, type Responses } from './responses.ts'
import { balanced, byLength, PAPER } from './tallies.ts'

const { text, number, share, estimate } = column

/** Section 7.3: exponents of parsing: at least (a transformer that simulates a cubic parser), CYK, and no more than. */
const EXPONENTS = { least: 1.7, cyk: 3, most: 6 }

/** How fast test-time compute grows with the length of the string, up to its peak. */
export const growth: Analysis = {
  id: 'relic/growth',
  title: 'Growth of test-time compute with string length',
  source: { paper: PAPER, item: 'Section 7.3' },
  notes: [
    'Exponent b of tokens = a n^b: log-log least squares, one point per length, up to the peak and after it. Parsing takes 1.7 to 6.',
    'Tokens: mean of the two class means per length. Fewer than four lengths give no exponent.',
  ],
  needs,
  run(frame, options) {
    const data = publishedResponses(frame, options)
    const exponents = table(
      'relic/growth',
      'Exponent of completion tokens over string length',
      [
        text('model', 'Model'),
        number('peak', 'Peak length', 'tokens'),
        estimate('rising', 'Exponent up to the peak', null),
        estimate('after', 'Exponent after it', null),
        number('least', 'Parsing, at least'),
        number('cyk', 'CYK'),
        number('most', 'Parsing, at most'),
      ],
      byArm(data).flatMap(({ model, entries }) => exponentsOf(frame, data, model, entries)),
    )
    return { tables: [exponents] }
  },
}

function exponentsOf(frame: Frame, data: Responses, model: string, entries: Int32Array) {
  const points = tokensByLength(frame, data, entries, Number.MIN_VALUE)
  const top = points.toSorted((a, b) => b.tokens - a.tokens)[0]
  if (top === undefined) return []
  const rising = exponent(points.filter(({ length }) => length <= top.length))
  const after = exponent(points.filter(({ length }) => length >= top.length))
  return [{ model, peak: top.length, rising, after, ...EXPONENTS }]
}

function exponent(points: readonly { readonly length: number; readonly tokens: number }[]): Estimate | null {
  if (points.length < 4) return null
  const fit = linear(
    design({ x: { kind: 'numeric', values: points.map(({ length }) => Math.log(length)) } }, [['x']]),
    points.map(({ tokens }) => Math.log(tokens)),
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
    'Accuracy = high − (high − low) / (1 + (middle / length)^steepness), least squares over lengths of the mean of the two class accuracies.',
    'Models that a constant fits as well (F test at 0.01) are omitted. The paper reads 5 to 15 off its figure.',
  ],
  needs: [...needs],
  run(frame, options) {
    const data = publishedResponses(frame, options)
    const falls = table(
      'relic/inflection',
      'Length at which accuracy falls',
      [
        text('model', 'Model'),
        number('lengths', 'Lengths'),
        number('middle', 'Middle of the fall', 'tokens'),
        share('high', 'Accuracy before'),
        share('low', 'Accuracy after'),
        share('explained', 'Explained variance'),
      ],
      byArm(data).flatMap(({ model, entries }) => {
        const points = byLength(data, entries).flatMap(([length, inside]) => {
          const accuracy = balanced(data, inside)
          return accuracy === null || length < 2 ? [] : [{ length, accuracy, weight: inside.length }]
        })
        const fitted = fall(points)
        return fitted === null ? [] : [{ model, lengths: points.length, ...fitted }]
      }),
    )
    return { tables: [falls] }
  },
}

interface Point {
  readonly length: number
  readonly accuracy: number
  readonly weight: number
}

/** The 99 % quantile of F(3, n - 4) is at most this for n - 4 above 10. */
const CRITICAL_F = 6.55

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
  if (gain < CRITICAL_F) return null
  const { middle, high, low, left } = best
  return { middle, high, low, explained: 1 - left / around }
}

/** The two levels that fit best, given the fraction of the fall at each point. */
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
