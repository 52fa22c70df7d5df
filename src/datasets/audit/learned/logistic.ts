import { CholeskyDecomposition, Matrix } from 'ml-matrix'
import type { Feature } from '../direct.ts'
import type { Learner } from './learner.ts'

const mostRows = 5000
const strongest = 6
const steps = 4
const ridge = 1

/**
 * Ridge logistic regression, one class against the rest, on all direct features (as z-scores of the training rows) and
 * the products of the six that separate the training classes best.
 */
export function ridgeLogistic(features: readonly Feature[]): Learner {
  return {
    probe: 'learned/logistic',
    limits: { train: mostRows, test: Number.POSITIVE_INFINITY },
    fit(train, keys, classes) {
      const scaled = features.map(({ values }) => standardised(values, train)).filter((column) => column !== null)
      const strong = [...scaled]
        .map((column) => ({ column, force: separation(column, train, keys, classes) }))
        .sort((a, b) => b.force - a.force)
        .slice(0, strongest)
        .map(({ column }) => column)
      const width = 1 + scaled.length + (strong.length * (strong.length - 1)) / 2
      const fill = (row: number, out: Float64Array): void => {
        let at = 0
        out[at++] = 1
        for (const column of scaled) out[at++] = column(row)
        for (let i = 0; i < strong.length; i++)
          for (let j = i + 1; j < strong.length; j++)
            out[at++] = (strong[i] as Column)(row) * (strong[j] as Column)(row)
      }
      const design = Array.from(train, (row) => {
        const line = new Float64Array(width)
        fill(row, line)
        return line
      })
      const heads = classes === 2 ? [1] : Array.from({ length: classes }, (_, k) => k)
      const weights = heads.map((k) =>
        newton(
          design,
          Float64Array.from(train, (row) => (keys[row] === k ? 1 : 0)),
        ),
      )
      const line = new Float64Array(width)
      return (row, scores) => {
        fill(row, line)
        scores.fill(0)
        for (const [h, k] of heads.entries()) scores[k] = dot(weights[h] as Float64Array, line)
      }
    },
  }
}

type Column = (row: number) => number

function standardised(values: Float64Array, train: Int32Array): Column | null {
  let mean = 0
  for (const row of train) mean += values[row] as number
  mean /= train.length
  let square = 0
  for (const row of train) square += ((values[row] as number) - mean) ** 2
  const sd = Math.sqrt(square / train.length)
  if (!(sd > 1e-12)) return null
  // A wild value in a test row must not decide its score alone.
  return (row) => Math.max(-6, Math.min(6, ((values[row] as number) - mean) / sd))
}

/** Variance between the class means of a z-scored column. */
function separation(column: Column, train: Int32Array, keys: Int32Array, classes: number): number {
  const sums = new Float64Array(classes)
  const counts = new Float64Array(classes)
  for (const row of train) {
    const key = keys[row] as number
    sums[key] = (sums[key] as number) + column(row)
    counts[key] = (counts[key] as number) + 1
  }
  let force = 0
  for (let k = 0; k < classes; k++)
    if ((counts[k] as number) > 0) force += (sums[k] as number) ** 2 / (counts[k] as number)
  return force
}

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number)
  return sum
}

/** A few Newton steps; the ridge keeps every one of them solvable. */
function newton(design: readonly Float64Array[], y: Float64Array): Float64Array {
  const width = design[0]?.length ?? 1
  const weights = new Float64Array(width)
  for (let step = 0; step < steps; step++) {
    const gram = new Float64Array(width * width)
    const gradient = new Float64Array(width)
    for (const [i, line] of design.entries()) {
      const p = 1 / (1 + Math.exp(-dot(weights, line)))
      const w = Math.max(p * (1 - p), 1e-6)
      const residual = (y[i] as number) - p
      for (let a = 0; a < width; a++) {
        const value = line[a] as number
        if (value === 0) continue
        gradient[a] = (gradient[a] as number) + residual * value
        const scaled = w * value
        const base = a * width
        for (let b = 0; b <= a; b++) gram[base + b] = (gram[base + b] as number) + scaled * (line[b] as number)
      }
    }
    const hessian = new Matrix(width, width)
    for (let a = 0; a < width; a++) {
      for (let b = 0; b <= a; b++) {
        hessian.set(a, b, gram[a * width + b] as number)
        hessian.set(b, a, gram[a * width + b] as number)
      }
      hessian.set(a, a, hessian.get(a, a) + ridge)
    }
    const pull = Matrix.columnVector(Array.from(gradient, (g, a) => g - ridge * (weights[a] as number)))
    const change = new CholeskyDecomposition(hessian).solve(pull)
    for (let a = 0; a < width; a++) weights[a] = (weights[a] as number) + change.get(a, 0)
  }
  return weights
}
