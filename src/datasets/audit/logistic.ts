import { CholeskyDecomposition, Matrix } from 'ml-matrix'
import type { Learner } from '../../libraries/locality/columns.ts'
import type { Feature } from './features.ts'

const MAX_ROWS = 5000

interface Width {
  readonly probe: string
  /** Most columns: those that separate the training classes best. */
  readonly columns: number
  /** Columns multiplied in pairs. */
  readonly strongest: number
}
const DEFAULT_WIDTH: Width = { probe: 'learned/logistic', columns: Number.POSITIVE_INFINITY, strongest: 6 }

const STEPS = 12
const RIDGE = 1

/**
 * Ridge logistic regression, one class against the rest, on features (as z-scores of the training rows) and the products
 * of those few that separate the training classes best.
 */
export function ridgeLogistic(
  features: readonly Feature[],
  { probe, columns: max, strongest } = DEFAULT_WIDTH,
): Learner {
  return {
    probe,
    limits: { train: MAX_ROWS, test: Number.POSITIVE_INFINITY },
    fit(train, keys, classes) {
      const ranked = features
        .map(({ values }) => standardised(values, train))
        .filter((column) => column !== null)
        .map((column, position) => ({ column, position, strength: separation(column, train, keys, classes) }))
        .sort((a, b) => b.strength - a.strength)
        .slice(0, max)
      const strong = ranked.slice(0, strongest).map(({ column }) => column)
      const columns = ranked.sort((a, b) => a.position - b.position).map(({ column }) => column)
      const width = 1 + columns.length + (strong.length * (strong.length - 1)) / 2
      const fill = (row: number, out: Float64Array): void => {
        let at = 0
        out[at++] = 1
        for (const column of columns) out[at++] = zScore(column, row)
        for (let i = 0; i < strong.length; i++)
          for (let j = i + 1; j < strong.length; j++)
            out[at++] = zScore(strong[i] as Column, row) * zScore(strong[j] as Column, row)
      }
      const design = new Float64Array(train.length * width)
      for (const [i, row] of train.entries()) fill(row, design.subarray(i * width, (i + 1) * width))
      const bound = curvature(design, width)
      const heads = classes === 2 ? [1] : Array.from({ length: classes }, (_, k) => k)
      const weights = heads.map((k) =>
        ascent(
          design,
          width,
          Float64Array.from(train, (row) => (keys[row] === k ? 1 : 0)),
          bound,
        ),
      )
      const line = new Float64Array(width)
      return (row, scores) => {
        fill(row, line)
        scores.fill(0)
        for (const [h, k] of heads.entries()) scores[k] = dot(weights[h] as Float64Array, line, 0)
      }
    },
  }
}

interface Column {
  readonly values: Feature['values']
  readonly mean: number
  readonly sd: number
}

/** Clipped, so that one extreme value of a test row does not decide its score. */
const zScore = ({ values, mean, sd }: Column, row: number): number =>
  Math.max(-6, Math.min(6, ((values[row] as number) - mean) / sd))

function standardised(values: Feature['values'], train: Int32Array): Column | null {
  let mean = 0
  for (const row of train) mean += values[row] as number
  mean /= train.length
  let square = 0
  for (const row of train) square += ((values[row] as number) - mean) ** 2
  const sd = Math.sqrt(square / train.length)
  return sd > 1e-12 ? { values, mean, sd } : null
}

/** Variance between the class means of a z-scored column. */
function separation(column: Column, train: Int32Array, keys: Int32Array, classes: number): number {
  const sums = new Float64Array(classes)
  const counts = new Float64Array(classes)
  for (const row of train) {
    const key = keys[row] as number
    sums[key] = (sums[key] as number) + zScore(column, row)
    counts[key] = (counts[key] as number) + 1
  }
  let strength = 0
  for (let k = 0; k < classes; k++)
    if ((counts[k] as number) > 0) strength += (sums[k] as number) ** 2 / (counts[k] as number)
  return strength
}

/** The product of `weights` with the row of `lines` that begins at `from`. */
function dot(weights: Float64Array, lines: Float64Array, from: number): number {
  let sum = 0
  for (let a = 0; a < weights.length; a++) sum += (weights[a] as number) * (lines[from + a] as number)
  return sum
}

/**
 * X'X / 4 + RIDGE: no Hessian of the logistic likelihood is larger (Boehning 1992), so every step against it climbs, and
 * one decomposition serves all steps of all classes.
 */
function curvature(design: Float64Array, width: number): CholeskyDecomposition {
  const gram = new Float64Array(width * width)
  for (let from = 0; from < design.length; from += width)
    for (let a = 0; a < width; a++) {
      const value = (design[from + a] as number) / 4
      for (let b = 0; b <= a; b++)
        gram[a * width + b] = (gram[a * width + b] as number) + value * (design[from + b] as number)
    }
  const bound = new Matrix(width, width)
  for (let a = 0; a < width; a++)
    for (let b = 0; b <= a; b++) {
      const value = (gram[a * width + b] as number) + (a === b ? RIDGE : 0)
      bound.set(a, b, value)
      bound.set(b, a, value)
    }
  return new CholeskyDecomposition(bound)
}

function ascent(design: Float64Array, width: number, y: Float64Array, bound: CholeskyDecomposition): Float64Array {
  const weights = new Float64Array(width)
  for (let step = 0; step < STEPS; step++) {
    const gradient = weights.map((weight) => -RIDGE * weight)
    for (const [i, target] of y.entries()) {
      const from = i * width
      const residual = target - 1 / (1 + Math.exp(-dot(weights, design, from)))
      for (let a = 0; a < width; a++) gradient[a] = (gradient[a] as number) + residual * (design[from + a] as number)
    }
    const change = bound.solve(Matrix.columnVector(Array.from(gradient)))
    for (let a = 0; a < width; a++) weights[a] = (weights[a] as number) + change.get(a, 0)
  }
  return weights
}
