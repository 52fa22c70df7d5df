import { CholeskyDecomposition, EigenvalueDecomposition, Matrix } from 'ml-matrix'
import type { Clustering } from '../clusters.ts'
import type { Design } from './design.ts'

export interface Robust {
  readonly covariance: Matrix
  /** Degrees of freedom of each coefficient's error by Bell and McCaffrey. */
  readonly df: readonly number[]
}

/** A share of a direction this near to 1 is held by one cluster alone: what it says of itself cannot be corrected. */
const WHOLE = 1 - 1e-9
/** An eigenvalue this small is rounding. */
const NONE = 1e-12

/**
 * Cluster-robust covariance of regression coefficients (CR2): B (sum_g v_g v_g') B with v_g = X_g' A_g e_g, A_g = (I - H_gg)^(-1/2), B the bread
 * (X'WX)^-1, rows scaled by the roots of their weights; and Bell and McCaffrey's degrees of freedom of each coefficient,
 * (sum P_gg)^2 / sum P_gh^2 with P_gh = p_g' (I - H)_gh p_h, p_g = A_g X_g B l (Survey Methodology 28, 2002; Pustejovsky and Tipton,
 * J. Bus. Econ. Stat. 36, 2018). Everything is done in as many dimensions as there are coefficients: A_g differs from I
 * only in the span of X_g.
 */
export function clusterCovariance(
  design: Design,
  score: Float64Array,
  weight: Float64Array | null,
  bread: Matrix,
  groups: Clustering,
): Robust {
  const k = design.columns.length
  const root = new CholeskyDecomposition(bread).lowerTriangularMatrix
  const clusters = momentsOf(design, score, weight, groups).map(({ sum, cross }) => corrected(sum, cross, root))
  const meat = Matrix.zeros(k, k)
  for (const { sum } of clusters) meat.add(sum.mmul(sum.transpose()))
  return {
    covariance: bread.mmul(meat).mmul(bread),
    df: design.columns.map((_, j) => freedom(clusters, bread, bread.getColumnVector(j))),
  }
}

interface Moments {
  /** X_g' e_g */
  readonly sum: Matrix
  /** X_g' X_g */
  readonly cross: Matrix
}

function momentsOf(design: Design, score: Float64Array, weight: Float64Array | null, groups: Clustering): Moments[] {
  const k = design.columns.length
  const found = Array.from({ length: groups.count }, () => ({ sum: Matrix.zeros(k, 1), cross: Matrix.zeros(k, k) }))
  const row = new Float64Array(k)
  for (let i = 0; i < design.rows; i++) {
    const { sum, cross } = found[groups.of[i] as number] as Moments
    for (let j = 0; j < k; j++) row[j] = (design.columns[j] as Float64Array)[i] as number
    const [s, w] = [score[i] as number, weight?.[i] ?? 1]
    for (let a = 0; a < k; a++) {
      const x = row[a] as number
      if (x === 0) continue
      sum.set(a, 0, sum.get(a, 0) + x * s)
      for (let b = 0; b < k; b++) cross.set(a, b, cross.get(a, b) + w * x * (row[b] as number))
    }
  }
  return found
}

/** A cluster's part after the correction. */
interface Corrected {
  /** X_g' A_g e_g */
  readonly sum: Matrix
  /** X_g' A_g X_g */
  readonly once: Matrix
  /** X_g' A_g^2 X_g */
  readonly twice: Matrix
}

/** With Z = X_g L, L the root of the bread, and Z'Z = U diag(c) U': A_g = I + Z U diag(((1 - c)^(-1/2) - 1) / c) U' Z'. */
function corrected(sum: Matrix, cross: Matrix, root: Matrix): Corrected {
  const inner = root.transpose().mmul(cross).mmul(root)
  const { realEigenvalues: shares, eigenvectorMatrix: vectors } = new EigenvalueDecomposition(inner, {
    assumeSymmetric: true,
  })
  const turned = root.mmul(vectors)
  const through = (f: (share: number) => number): Matrix =>
    turned.mmul(Matrix.diag(shares.map((share) => (share < NONE ? 0 : f(share))))).mmul(turned.transpose())
  const lifted = cross.mmul(through((c) => ((c > WHOLE ? 0 : 1 / Math.sqrt(1 - c)) - 1) / c))
  const squared = cross.mmul(through((c) => ((c > WHOLE ? 0 : 1 / (1 - c)) - 1) / c))
  return {
    sum: Matrix.add(sum, lifted.mmul(sum)),
    once: Matrix.add(cross, lifted.mmul(cross)),
    twice: Matrix.add(cross, squared.mmul(cross)),
  }
}

function freedom(clusters: readonly Corrected[], bread: Matrix, contrast: Matrix): number {
  const spread = Matrix.zeros(bread.rows, bread.rows)
  let [trace, squares] = [0, 0]
  for (const { once, twice } of clusters) {
    const s = once.mmul(contrast)
    const own = contrast.transpose().mmul(twice).mmul(contrast).get(0, 0)
    const shared = s.transpose().mmul(bread).mmul(s).get(0, 0)
    trace += own - shared
    squares += own * own - 2 * own * shared
    spread.add(s.mmul(s.transpose()))
  }
  const product = bread.mmul(spread)
  return (trace * trace) / (squares + product.mmul(product).trace())
}
