import { type Analysis, column, type Estimate, type Frame, table } from '../../../../core/index.ts'
import { analysisStream, clusterBootstrap, design, linear, mean } from '../../../../libraries/statistics/index.ts'
import { tokensByLength } from './figure6.ts'
import { byArm, needs, publishedResponses, type Responses } from './responses.ts'
import { byGrammar, cellOf, inShare, means, PAPER, type Tally, tally } from './tallies.ts'

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

/** Where accuracy falls: half of the way of a logistic fall in log length. */
export const inflection: Analysis = {
  id: 'relic/inflection',
  title: 'Length at which accuracy falls',
  source: { paper: PAPER, item: 'Section 5.2' },
  notes: [
    'A logistic fall in log length, least squares over lengths of the mean of the two class accuracies; the middle is half of the way from 2 tokens to the longest.',
    'Intervals: bootstrap over grammars. No fall, and no middle: a constant fits as well (F test at 0.01). Fitted accuracies are cut to 0 to 1. The paper reads 5 to 15 off its figure.',
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
        text('falls', 'Falls'),
        estimate('middle', 'Middle of the fall, tokens', null),
        share('high', 'Accuracy, shortest'),
        share('low', 'Accuracy, longest'),
        share('explained', 'Explained variance'),
      ],
      byArm(data).flatMap(({ model, entries }) => {
        const grammars = [...byGrammar(data, entries).values()].map((inside) => tallyCells(data, inside))
        const points = (counts: ArrayLike<number>) => pointsOf(grammars, counts)
        const whole = points(new Int32Array(grammars.length).fill(1))
        const fitted = fall(whole)
        if (fitted === null) return whole.length === 0 ? [] : [{ model, lengths: whole.length, falls: 'no' }]
        const { certain, high, low, explained } = fitted
        if (!certain) return [{ model, lengths: whole.length, falls: 'no', high, low, explained }]
        const middle = clusterBootstrap(
          grammars.length,
          entries.length,
          (counts) => fall(points(counts))?.middle ?? null,
          { stream: analysisStream(options.seed, `relic/inflection/${model}`), draws: 200 },
        )
        return [{ model, lengths: whole.length, falls: 'yes', middle, high, low, explained }]
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

const tallyCells = (data: Responses, entries: Int32Array): ReadonlyMap<number, Tally> =>
  tally(
    entries,
    (k) => cellOf(data, k),
    (k) => data.correct[k] as number,
  )

/** Of each length from 2 on, the mean of the two class accuracies over grammars, each taken `counts` times. */
function pointsOf(grammars: readonly ReadonlyMap<number, Tally>[], counts: ArrayLike<number>): readonly Point[] {
  const cells = new Map<number, Tally>()
  for (const [g, grammar] of grammars.entries())
    for (const [cell, { n, sum }] of grammar) {
      const all = cells.get(cell) ?? { n: 0, sum: 0 }
      all.n += n * (counts[g] as number)
      all.sum += sum * (counts[g] as number)
      cells.set(cell, all)
    }
  const known = [...cells].filter(([cell, { n }]) => cell > 3 && n > 0)
  return [...Map.groupBy(known, ([cell]) => cell >> 1)].map(([length, classes]) => ({
    length,
    accuracy: mean(means(classes.map(([, one]) => one))),
    weight: classes.reduce((sum, [, { n }]) => sum + n, 0),
  }))
}

/** The 99 % quantile of F(3, n - 4) is at most this for n - 4 above 10. */
const CRITICAL_F = 6.55

function fall(points: readonly Point[]) {
  if (points.length < 15) return null
  const total = points.reduce((sum, { weight }) => sum + weight, 0)
  const average = points.reduce((sum, { accuracy, weight }) => sum + weight * accuracy, 0) / total
  const around = points.reduce((sum, { accuracy, weight }) => sum + weight * (accuracy - average) ** 2, 0)
  let best: (NonNullable<ReturnType<typeof levels>> & { readonly at: number; readonly steepness: number }) | null = null
  const lengths = points.map(({ length }) => length)
  const [shortest, longest] = [Math.min(...lengths), Math.max(...lengths)]
  for (let at = shortest; at <= longest; at += 0.5)
    for (const steepness of [1, 2, 4, 8]) {
      const found = levels(points, ({ length }) => 1 / (1 + (at / length) ** steepness))
      if (found !== null && found.high > found.low && (best === null || found.left < best.left))
        best = { at, steepness, ...found }
    }
  if (best === null || around === 0) return null
  const gain = (around - best.left) / 3 / (best.left / (points.length - 4))
  const { at, steepness, high, low, left } = best
  const [first, last] = [shortest, longest].map((length) => 1 / (1 + (at / length) ** steepness)) as [number, number]
  return {
    middle: at * ((first + last) / (2 - (first + last))) ** (1 / steepness),
    high: inShare(high + (low - high) * first),
    low: inShare(high + (low - high) * last),
    explained: 1 - left / around,
    certain: gain >= CRITICAL_F,
  }
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
