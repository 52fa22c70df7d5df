/**
 * The statistic of the audit (docs/audit.md#method): inside a block the key is exchangeable given what a probe sees.
 * T = sum of the score of each row's own key; its mean and variance over all permutations of the keys inside a block
 * are exact (Hoeffding 1951), whatever the clustering of scores.
 */

/** Rows sorted by block: `order[start[b] .. start[b + 1]]` are the rows of block b. */
export interface Blocks {
  readonly count: number
  readonly order: Int32Array
  readonly start: Int32Array
}

/** Blocks from one label per row. */
export function blocksOf(labels: ArrayLike<string | number>): Blocks {
  const block = numbered(labels)
  const count = block.reduce((most, b) => Math.max(most, b + 1), 0)
  const start = new Int32Array(count + 1)
  for (const b of block) start[b + 1] = (start[b + 1] as number) + 1
  for (let b = 0; b < count; b++) start[b + 1] = (start[b + 1] as number) + (start[b] as number)
  const next = start.slice(0, count)
  const order = new Int32Array(block.length)
  for (const [row, b] of block.entries()) {
    order[next[b] as number] = row
    next[b] = (next[b] as number) + 1
  }
  return { count, order, start }
}

/** Labels as numbers 0, 1, 2, ... in the order in which they first occur. */
export function numbered(labels: ArrayLike<string | number>): Int32Array {
  const ids = new Map<string | number, number>()
  return Int32Array.from(labels, (label) => {
    const known = ids.get(label)
    if (known !== undefined) return known
    ids.set(label, ids.size)
    return ids.size - 1
  })
}

/** Scores of answer k for row i at [i * classes + k]; keys 0..classes-1. */
export interface Scored {
  readonly classes: number
  readonly scores: Float64Array
  readonly keys: Int32Array
}

export interface Moments {
  /** Sum over blocks of T - E. */
  readonly excess: number
  readonly variance: number
  /** Rows in blocks with a variance above 0. */
  readonly informative: number
}

/** Sums over all blocks. O(rows x classes). */
export function moments(scored: Scored, blocks: Blocks): Moments {
  const { classes, scores, keys } = scored
  let excess = 0
  let variance = 0
  let informative = 0
  const count = new Float64Array(classes)
  const columnMean = new Float64Array(classes)
  for (let b = 0; b < blocks.count; b++) {
    const from = blocks.start[b] as number
    const to = blocks.start[b + 1] as number
    const n = to - from
    if (n < 2) continue
    count.fill(0)
    columnMean.fill(0)
    let total = 0
    for (let at = from; at < to; at++) {
      const row = blocks.order[at] as number
      const key = keys[row] as number
      count[key] = (count[key] as number) + 1
      total += scores[row * classes + key] as number
      for (let k = 0; k < classes; k++)
        columnMean[k] = (columnMean[k] as number) + (scores[row * classes + k] as number)
    }
    let expected = 0
    for (let k = 0; k < classes; k++) {
      columnMean[k] = (columnMean[k] as number) / n
      expected += (count[k] as number) * (columnMean[k] as number)
    }
    const grand = expected / n
    let sum = 0
    for (let at = from; at < to; at++) {
      const base = (blocks.order[at] as number) * classes
      let rowMean = 0
      for (let k = 0; k < classes; k++) rowMean += ((count[k] as number) / n) * (scores[base + k] as number)
      for (let k = 0; k < classes; k++) {
        const d = (scores[base + k] as number) - rowMean - (columnMean[k] as number) + grand
        sum += (count[k] as number) * d * d
      }
    }
    const v = sum / (n - 1)
    // Rounding leaves a trace where all scores are equal.
    const negligible = 1e-18 * n * (grand * grand + 1)
    if (v <= negligible) continue
    excess += total - expected
    variance += v
    informative += n
  }
  return { excess, variance, informative }
}

/** Each row's part of T - E: its score less the means of its row and of its key's column, plus the grand mean. */
export function rowExcess({ classes, scores, keys }: Scored, blocks: Blocks): Float64Array {
  const out = new Float64Array(keys.length)
  for (let b = 0; b < blocks.count; b++) {
    const order = blocks.order.subarray(blocks.start[b], blocks.start[b + 1])
    const share = new Float64Array(classes)
    const columnMean = new Float64Array(classes)
    for (const row of order) {
      const key = keys[row] as number
      share[key] = (share[key] as number) + 1 / order.length
      for (let k = 0; k < classes; k++)
        columnMean[k] = (columnMean[k] as number) + (scores[row * classes + k] as number) / order.length
    }
    const meanOf = (values: (k: number) => number) => share.reduce((sum, part, k) => sum + part * values(k), 0)
    const grand = meanOf((k) => columnMean[k] as number)
    for (const row of order) {
      const key = keys[row] as number
      const own = (scores[row * classes + key] as number) - meanOf((k) => scores[row * classes + k] as number)
      out[row] = own - (columnMean[key] as number) + grand
    }
  }
  return out
}

export const zOf = ({ excess, variance }: Moments): number => (variance > 0 ? excess / Math.sqrt(variance) : 0)

/** Scores for two keys: x for key 1, 0 for key 0. */
export function twoClass(x: ArrayLike<number>, isKey: Uint8Array): Scored {
  const scores = new Float64Array(x.length * 2)
  for (let i = 0; i < x.length; i++) scores[2 * i + 1] = x[i] as number
  return { classes: 2, scores, keys: Int32Array.from(isKey) }
}
