import type { Binned, Learner } from './columns.ts'

const ROUNDS = 50
const DEPTH = 4
const RATE = 0.15
/** Added to the curvature of a leaf. */
const RIDGE = 3
/** Least curvature on either side of a split. */
const MIN_CURVATURE = 3
/** Trees use every STRIDE-th column, in turn. */
const STRIDE = 2

/** A complete tree: inner node i has children 2 i + 1 and 2 i + 2; a node that is not split sends all rows left. */
interface Tree {
  readonly column: Int32Array
  /** Rows with a greater bin go right. */
  readonly cut: Uint8Array
  readonly leaf: Float64Array
}

const INNER_NODES = 2 ** DEPTH - 1

/**
 * Gradient-boosted trees (Friedman 2001) with Newton steps and splits found on histograms, one class against the rest.
 * O(rounds x depth x rows x columns) a class.
 */
export function boostedTrees(probe: string, { bins, columns }: Binned): Learner {
  return {
    probe,
    limits: { train: 8000, test: Number.POSITIVE_INFINITY },
    fit(train, keys, classes) {
      const heads = classes === 2 ? [1] : Array.from({ length: classes }, (_, k) => k)
      const own = columns.map((column) => Uint8Array.from(train, (row) => column[row] as number))
      const models = heads.map((k) => {
        const target = Uint8Array.from(train, (row) => (keys[row] === k ? 1 : 0))
        return boost(target, own, bins)
      })
      return (row, scores) => {
        scores.fill(0)
        for (const [h, k] of heads.entries()) {
          const { base, trees } = models[h] as Model
          scores[k] = trees.reduce((sum, tree) => sum + (tree.leaf[leafOf(tree, columns, row)] as number), base)
        }
      }
    },
  }
}

interface Model {
  readonly base: number
  readonly trees: readonly Tree[]
}

function leafOf({ column, cut }: Tree, columns: readonly Uint8Array[], row: number): number {
  let node = 0
  while (node < INNER_NODES) {
    const c = column[node] as number
    const right = c >= 0 && ((columns[c] as Uint8Array)[row] as number) > (cut[node] as number)
    node = 2 * node + (right ? 2 : 1)
  }
  return node - INNER_NODES
}

function boost(y: Uint8Array, columns: readonly Uint8Array[], bins: number): Model {
  const positive = y.reduce<number>((sum, value) => sum + value, 0)
  const base = Math.log((positive + 0.5) / (y.length - positive + 0.5))
  const score = new Float64Array(y.length).fill(base)
  const trees: Tree[] = []
  const slopes: Slopes = new Float64Array(2 * y.length)
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < y.length; i++) {
      const p = 1 / (1 + Math.exp(-(score[i] as number)))
      slopes[2 * i] = (y[i] as number) - p
      slopes[2 * i + 1] = p * (1 - p)
    }
    const { tree, leaves } = grow(slopes, columns, bins, round % STRIDE)
    if (tree.column[0] !== -1) trees.push(tree)
    for (let i = 0; i < y.length; i++) score[i] = (score[i] as number) + (tree.leaf[leaves[i] as number] as number)
  }
  return { base, trees }
}

/** Pairs of numbers side by side, of a row or of a cell of a histogram: the gradient and the curvature. */
type Slopes = Float64Array

/** One tree, level by level, with the leaf of each training row. */
function grow(
  slopes: Slopes,
  columns: readonly Uint8Array[],
  bins: number,
  offset: number,
): { readonly tree: Tree; readonly leaves: Uint8Array } {
  const tree: Tree = {
    column: new Int32Array(INNER_NODES).fill(-1),
    cut: new Uint8Array(INNER_NODES),
    leaf: new Float64Array(2 ** DEPTH),
  }
  const rows = slopes.length / 2
  const position = new Uint8Array(rows)
  /** By row, where the histogram of its node begins. */
  const start = new Int32Array(rows)
  for (let level = 0; level < DEPTH; level++) {
    const width = 2 ** level
    const from = width - 1
    const best = new Float64Array(width)
    const sums: Slopes = new Float64Array(2 * width * bins)
    for (let c = offset; c < columns.length; c += STRIDE) {
      addUp(sums.fill(0), slopes, columns[c] as Uint8Array, start)
      for (let node = 0; node < width; node++) {
        const { gain, cut } = bestCut(sums, 2 * node * bins, bins)
        if (gain <= (best[node] as number)) continue
        best[node] = gain
        tree.column[from + node] = c
        tree.cut[from + node] = cut
      }
    }
    for (let i = 0; i < rows; i++) {
      const node = from + (position[i] as number)
      const c = tree.column[node] as number
      const right = c >= 0 && ((columns[c] as Uint8Array)[i] as number) > (tree.cut[node] as number) ? 1 : 0
      position[i] = 2 * (position[i] as number) + right
      start[i] = 2 * (position[i] as number) * bins
    }
  }
  const weight = new Float64Array(2 ** DEPTH).fill(RIDGE)
  for (let i = 0; i < rows; i++) {
    const leaf = position[i] as number
    tree.leaf[leaf] = (tree.leaf[leaf] as number) + (slopes[2 * i] as number)
    weight[leaf] = (weight[leaf] as number) + (slopes[2 * i + 1] as number)
  }
  for (const [leaf, w] of weight.entries()) tree.leaf[leaf] = (RATE * (tree.leaf[leaf] as number)) / w
  return { tree, leaves: position }
}

/** The histograms of all nodes of a level over one column: where nearly all of the time goes. */
function addUp(sums: Slopes, slopes: Slopes, column: Uint8Array, start: Int32Array): void {
  for (let i = 0; i < column.length; i++) {
    const at = (start[i] as number) + 2 * (column[i] as number)
    sums[at] = (sums[at] as number) + (slopes[2 * i] as number)
    sums[at + 1] = (sums[at + 1] as number) + (slopes[2 * i + 1] as number)
  }
}

/** The cut of a node's histogram that gains the most likelihood; a gain of 0: none. */
function bestCut(sums: Slopes, from: number, bins: number): { gain: number; cut: number } {
  let [allG, allH] = [0, 0]
  for (let b = 0; b < bins; b++) {
    allG += sums[from + 2 * b] as number
    allH += sums[from + 2 * b + 1] as number
  }
  const whole = allG ** 2 / (allH + RIDGE)
  let [leftG, leftH, gain, cut] = [0, 0, 0, 0]
  for (let b = 0; b < bins - 1; b++) {
    leftG += sums[from + 2 * b] as number
    leftH += sums[from + 2 * b + 1] as number
    if (leftH < MIN_CURVATURE) continue
    if (allH - leftH < MIN_CURVATURE) break
    const own = leftG ** 2 / (leftH + RIDGE) + (allG - leftG) ** 2 / (allH - leftH + RIDGE) - whole
    if (own > gain) {
      gain = own
      cut = b
    }
  }
  return { gain, cut }
}
