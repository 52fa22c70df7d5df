/** 1 / (1 + exp(-z)) by + - * / alone, so that its bits are the same on every platform; z is taken as at most 30 from 0. */
export function sigmoid(z: number): number {
  const h = Math.min(30, Math.max(-30, z)) / 1024
  let odds = (1 + h) / (1 - h)
  for (let i = 0; i < 9; i++) odds *= odds
  return odds / (1 + odds)
}

/** Steps at most; fewer where no weight changes by more than `ENOUGH`. */
const STEPS = 8
const ENOUGH = 1e-4

/**
 * Weights that best tell the second of two strings from the first by the difference of their features, second minus
 * first: logistic regression without intercept, by Newton's method, with a penalty on squared weights. A weight is
 * negative where a feature speaks for the first. `start`: weights to begin with, of the first features.
 */
export function pairwiseLogit(
  differences: readonly Float64Array[],
  size: number,
  penalty: number,
  start: ArrayLike<number> = [],
): Float64Array<ArrayBuffer> {
  const weights = new Float64Array(size)
  weights.set(start)
  for (let step = 0; step < STEPS; step++) {
    const slope = Float64Array.from(weights, (weight) => penalty * weight)
    const curve = new Float64Array(size * size)
    for (let i = 0; i < size; i++) curve[i * size + i] = penalty
    for (const difference of differences) {
      let z = 0
      for (let i = 0; i < size; i++) z += weights[i]! * difference[i]!
      const p = sigmoid(z)
      for (let i = 0; i < size; i++) {
        const value = difference[i]!
        if (value === 0) continue
        slope[i]! += p * value
        const scaled = p * (1 - p) * value
        for (let j = 0; j <= i; j++) curve[i * size + j]! += scaled * difference[j]!
      }
    }
    const change = solve(curve, slope)
    for (let i = 0; i < size; i++) weights[i]! -= change[i]!
    if (change.every((by) => Math.abs(by) < ENOUGH)) break
  }
  return weights
}

/** Solves a symmetric positive definite system, of which the lower triangle is given (and is overwritten), by Cholesky. */
function solve(matrix: Float64Array, right: Float64Array): Float64Array {
  const n = right.length
  const out = right.slice()
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * n + j]!
      for (let k = 0; k < j; k++) sum -= matrix[i * n + k]! * matrix[j * n + k]!
      matrix[i * n + j] = i === j ? Math.sqrt(sum) : sum / matrix[j * n + j]!
    }
    for (let k = 0; k < i; k++) out[i]! -= matrix[i * n + k]! * out[k]!
    out[i]! /= matrix[i * n + i]!
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) out[i]! -= matrix[k * n + i]! * out[k]!
    out[i]! /= matrix[i * n + i]!
  }
  return out
}
