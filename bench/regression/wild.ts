import { inverse, Matrix } from 'ml-matrix'
import { webbWeights } from '../../src/libraries/statistics/wild-bootstrap.ts'

/** Rows of a regression: its columns, outcomes, weights, and the group of each row. */
export interface Weighed {
  readonly columns: readonly ArrayLike<number>[]
  readonly y: readonly number[]
  readonly weights: readonly number[]
  readonly groups: readonly number[]
}

/**
 * p of one coefficient against a value, by the wild cluster bootstrap-t with the null imposed and Webb's weights (Cameron, Gelbach and Miller,
 * Review of Economics and Statistics 90, 2008; of a likelihood as Kline and Santos, Journal of Econometric Methods 1, 2012, on its last
 * weighted regression). With x the part of the column that the others do not explain, restricted residuals are e + d x, d the distance of the
 * estimate from the value; each pattern multiplies them by group, and its t has the errors of a regression of what it made.
 */
export function wildP({ columns, y, weights, groups }: Weighed, coefficient: number, value: number): number {
  const k = columns.length
  const x = new Matrix(columns.map((column) => Array.from(column))).transpose()
  const xw = new Matrix(columns.map((column) => Array.from(column, (v, i) => v * (weights[i] as number))))
  const bread = inverse(xw.mmul(x))
  const beta = bread.mmul(xw.mmul(Matrix.columnVector([...y])))
  const left = Matrix.sub(Matrix.columnVector([...y]), x.mmul(beta)).getColumn(0)
  const own = x.mmul(bread.getColumnVector(coefficient)).div(bread.get(coefficient, coefficient)).getColumn(0)
  const count = Math.max(...groups) + 1
  const zeros = (): Float64Array => new Float64Array(count)
  const [c, q] = [zeros(), zeros()]
  const [xe, xx] = [Matrix.zeros(count, k), Matrix.zeros(count, k)]
  for (const [i, g] of groups.entries()) {
    const [w, e, mine] = [weights[i] as number, left[i] as number, own[i] as number]
    c[g] = (c[g] as number) + w * mine * e
    q[g] = (q[g] as number) + w * mine * mine
    for (let j = 0; j < k; j++) {
      const v = (columns[j]?.[i] as number) * w
      xe.set(g, j, xe.get(g, j) + v * e)
      xx.set(g, j, xx.get(g, j) + v * mine)
    }
  }
  const hold = xx.mmul(bread)
  const whole = q.reduce((sum, one) => sum + one, 0)
  const scale = q.map((one) => 1 / Math.max(1e-9, 1 - one / whole))
  const d = beta.get(coefficient, 0) - value
  const bound = ((d * whole) ** 2 / c.reduce((sum, one, g) => sum + one * one * (scale[g] as number), 0)) * (1 - 1e-9)
  const patterns = webbWeights(count)
  let large = 0
  for (let p = 0; p < patterns.count; p++) {
    const weightOf = (g: number): number => patterns.weights[p * count + g] as number
    const score = (g: number): number => weightOf(g) * ((c[g] as number) + d * (q[g] as number))
    const made = new Float64Array(k)
    let sum = 0
    for (let g = 0; g < count; g++) {
      sum += score(g)
      for (let j = 0; j < k; j++) made[j] = (made[j] as number) + weightOf(g) * (xe.get(g, j) + d * xx.get(g, j))
    }
    let spread = 0
    for (let g = 0; g < count; g++) {
      let rest = score(g)
      for (let j = 0; j < k; j++) rest -= hold.get(g, j) * (made[j] as number)
      spread += rest * rest * (scale[g] as number)
    }
    if (sum * sum >= bound * spread) large++
  }
  return patterns.kind === 'exact' ? large / patterns.count : (1 + large) / (1 + patterns.count)
}
