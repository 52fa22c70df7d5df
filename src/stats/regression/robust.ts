import { Matrix } from 'ml-matrix'
import type { Clustering } from '../clusters.ts'
import type { Design } from './design.ts'

/**
 * Cluster-robust covariance of regression coefficients, B (sum_g u_g u_g') B with u_g = sum over the rows of cluster g of x_i
 * score_i and B the bread (X'WX)^-1, times the CR1 factor G/(G-1) (N-1)/(N-K), N observations: Liang and Zeger (1986), Cameron and Miller, J. Human
 * Resources 50 (2015), section II.
 */
export function clusterCovariance(
  design: Design,
  score: Float64Array,
  bread: Matrix,
  groups: Clustering,
  n: number = design.rows,
): Matrix {
  const k = design.columns.length
  const sums = new Matrix(groups.count, k)
  design.columns.forEach((column, j) => {
    const total = new Float64Array(groups.count)
    for (let i = 0; i < design.rows; i++) {
      const g = groups.of[i] as number
      total[g] = (total[g] as number) + (column[i] as number) * (score[i] as number)
    }
    for (let g = 0; g < groups.count; g++) sums.set(g, j, total[g] as number)
  })
  const factor = ((groups.count / (groups.count - 1)) * (n - 1)) / (n - k)
  return bread.mmul(sums.transpose().mmul(sums)).mmul(bread).mul(factor)
}
