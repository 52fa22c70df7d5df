import { CholeskyDecomposition, EigenvalueDecomposition, Matrix } from 'ml-matrix'
import type { Clustering } from '../clusters.ts'
import type { Design } from './design.ts'

export interface Robust {
  readonly covariance: Matrix
  /** Degrees of freedom of each coefficient's error by Bell and McCaffrey. */
  readonly df: readonly number[]
}

/** A direction with a share this near to 1 depends on one cluster alone and cannot be corrected. */
const WHOLE = 1 - 1e-9
/** An eigenvalue this small is rounding. */
const NONE = 1e-12

/**
 * Cluster-robust covariance of regression coefficients (CR2): B (sum_g v_g v_g') B with v_g = X_g' A_g e_g, A_g = (I - H_gg)^(-1/2), B the bread
 * (X'WX)^-1, rows scaled by the roots of their weights; and Bell and McCaffrey's degrees of freedom of each coefficient,
 * (sum P_gg)^2 / sum P_gh^2 with P_gh = p_g' (I - H)_gh p_h, p_g = A_g X_g B l (Survey Methodology 28, 2002; Pustejovsky and Tipton,
 * J. Bus. Econ. Stat. 36, 2018).
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
  const clusters = membersOf(groups).map((own) => {
    const cluster = rowsOf(design, score, weight, own)
    return own.length < k ? byRows(cluster, bread) : byColumns(cluster, bread, root)
  })
  const sums = new Matrix(clusters.map(({ sum }) => sum.getColumn(0)))
  return {
    covariance: bread.mmul(sums.transpose().mmul(sums)).mmul(bread),
    df: design.columns.map((_, j) => freedom(clusters, bread, j)),
  }
}

function membersOf(groups: Clustering): readonly number[][] {
  const members = Array.from({ length: groups.count }, (): number[] => [])
  for (let i = 0; i < groups.of.length; i++) members[groups.of[i] as number]?.push(i)
  return members
}

/** The rows of a cluster and their residuals, scaled by the roots of the weights. */
interface Cluster {
  readonly x: Matrix
  readonly e: Matrix
}

function rowsOf(
  { columns }: Design,
  score: Float64Array,
  weight: Float64Array | null,
  own: readonly number[],
): Cluster {
  const roots = own.map((i) => Math.sqrt(Math.max(weight?.[i] ?? 1, Number.MIN_VALUE)))
  return {
    x: new Matrix(own.map((i, r) => columns.map((column) => (column[i] as number) * (roots[r] as number)))),
    e: Matrix.columnVector(own.map((i, r) => (score[i] as number) / (roots[r] as number))),
  }
}

/** What a cluster adds; p_g of every coefficient, one a column. */
interface Part {
  /** X_g' A_g e_g */
  readonly sum: Matrix
  /** X_g' p_g */
  readonly cross: Matrix
  /** p_g' p_g */
  readonly own: readonly number[]
  /** p_g' H_gg p_g */
  readonly shared: readonly number[]
}

/** In as many dimensions as the cluster has rows. */
function byRows({ x, e }: Cluster, bread: Matrix): Part {
  const weighted = x.mmul(bread)
  const hat = weighted.mmul(x.transpose())
  const { realEigenvalues: shares, eigenvectorMatrix: vectors } = symmetric(hat)
  const adjust = vectors
    .mmul(Matrix.diag(shares.map((share) => (share > WHOLE ? 0 : 1 / Math.sqrt(1 - share)))))
    .mmul(vectors.transpose())
  const p = adjust.mmul(weighted)
  return {
    sum: x.transpose().mmul(adjust.mmul(e)),
    cross: x.transpose().mmul(p),
    own: diagonal(p, p),
    shared: diagonal(p, hat.mmul(p)),
  }
}

/**
 * In as many dimensions as there are coefficients, for A_g differs from I only in the span of X_g: with Z = X_g L, L the root of
 * the bread, and Z'Z = U diag(c) U', A_g = I + Z U diag(((1 - c)^(-1/2) - 1) / c) U' Z', and A_g^2 alike.
 */
function byColumns({ x, e }: Cluster, bread: Matrix, root: Matrix): Part {
  const square = x.transpose().mmul(x)
  const { realEigenvalues: shares, eigenvectorMatrix: vectors } = symmetric(root.transpose().mmul(square).mmul(root))
  const turned = root.mmul(vectors)
  const lifted = (f: (share: number) => number): Matrix =>
    square
      .mmul(turned)
      .mmul(Matrix.diag(shares.map((share) => (share < NONE ? 0 : (f(share) - 1) / share))))
      .mmul(turned.transpose())
  const once = lifted((share) => (share > WHOLE ? 0 : 1 / Math.sqrt(1 - share)))
  const twice = lifted((share) => (share > WHOLE ? 0 : 1 / (1 - share)))
  const plain = x.transpose().mmul(e)
  const cross = Matrix.add(square, once.mmul(square)).mmul(bread)
  return {
    sum: Matrix.add(plain, once.mmul(plain)),
    cross,
    own: diagonal(bread, Matrix.add(square, twice.mmul(square)).mmul(bread)),
    shared: diagonal(cross, bread.mmul(cross)),
  }
}

const symmetric = (matrix: Matrix) => new EigenvalueDecomposition(matrix, { assumeSymmetric: true })

/** The diagonal of a'b. */
const diagonal = (a: Matrix, b: Matrix): number[] =>
  Array.from({ length: a.columns }, (_, j) => {
    let sum = 0
    for (let i = 0; i < a.rows; i++) sum += a.get(i, j) * b.get(i, j)
    return sum
  })

function freedom(parts: readonly Part[], bread: Matrix, j: number): number {
  let [trace, squares] = [0, 0]
  for (const part of parts) {
    const [own, shared] = [part.own[j] as number, part.shared[j] as number]
    trace += own - shared
    squares += own * own - 2 * own * shared
  }
  const crosses = new Matrix(parts.map(({ cross }) => cross.getColumn(j)))
  const product = bread.mmul(crosses.transpose().mmul(crosses))
  return (trace * trace) / (squares + product.mmul(product).trace())
}
