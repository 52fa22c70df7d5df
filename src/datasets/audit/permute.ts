import type { Stream } from '../../core/index.ts'
import type { Blocks, Scored } from './statistic.ts'

/**
 * Within-block permutations of the keys with the scores fixed (integrity 3.2). In a block only rows whose scores differ
 * from the commonest ones matter: the others add the same whatever key they get. So a rare feature costs what is rare.
 */

interface SpecialBlock {
  /** Rows of the block, and how many of them have each key: drawn without replacement for the special rows. */
  readonly size: number
  readonly counts: Int32Array
  /** What row i adds, given key k, over a common row: [i * classes + k]. */
  readonly extra: Float64Array
  /** Special rows. */
  readonly rows: number
}

export interface Permutable {
  readonly classes: number
  readonly blocks: readonly SpecialBlock[]
  /** Special rows in all: the draws of one permutation. */
  readonly rows: number
  /** The fewest special rows expected with one key: below five the normal tail is not to be trusted. */
  readonly smallestCell: number
  /** T and E of the special rows. */
  readonly observed: number
  readonly expected: number
}

export function permutable(scored: Scored, blocks: Blocks): Permutable {
  const { classes, keys } = scored
  const special: SpecialBlock[] = []
  const cells = new Float64Array(classes)
  let rows = 0
  let observed = 0
  let expected = 0
  for (let b = 0; b < blocks.count; b++) {
    const order = blocks.order.subarray(blocks.start[b], blocks.start[b + 1])
    const counts = new Int32Array(classes)
    for (const row of order) counts[keys[row] as number] = (counts[keys[row] as number] as number) + 1
    if (counts.includes(order.length)) continue
    const { common, special: block } = byScores(scored, order)
    if (block.length === 0) continue
    const extra = new Float64Array(block.length * classes)
    const share = Float64Array.from(counts, (count) => count / order.length)
    for (const [i, row] of block.entries())
      for (let k = 0; k < classes; k++) {
        const more = scoreOf(scored, row, k) - scoreOf(scored, common, k)
        extra[i * classes + k] = more
        expected += (share[k] as number) * more
        if (keys[row] === k) observed += more
      }
    for (let k = 0; k < classes; k++) cells[k] = (cells[k] as number) + block.length * (share[k] as number)
    special.push({ size: order.length, counts, extra, rows: block.length })
    rows += block.length
  }
  const occurring = cells.filter((cell) => cell > 0)
  return { classes, blocks: special, rows, smallestCell: Math.min(...occurring), observed, expected }
}

const scoreOf = ({ classes, scores }: Scored, row: number, key: number): number => scores[row * classes + key] as number

/** Rows by what their scores say: with two classes the difference, with more all scores up to a shift. */
function signature(scored: Scored, row: number): number | string {
  const base = scoreOf(scored, row, 0)
  if (scored.classes === 2) return scoreOf(scored, row, 1) - base
  return Array.from({ length: scored.classes - 1 }, (_, k) => scoreOf(scored, row, k + 1) - base).join()
}

/** A row with the commonest scores, and all rows with others. */
function byScores(scored: Scored, order: Int32Array): { readonly common: number; readonly special: readonly number[] } {
  const alike = new Map<number | string, number[]>()
  let common: readonly number[] = []
  for (const row of order) {
    const key = signature(scored, row)
    let rows = alike.get(key)
    if (rows === undefined) {
      rows = []
      alike.set(key, rows)
    }
    rows.push(row)
    if (rows.length > common.length) common = rows
  }
  const special: number[] = []
  for (const rows of alike.values()) if (rows !== common) for (const row of rows) special.push(row)
  return { common: common[0] as number, special }
}

/** Hits after which a p value is known well enough: its relative error is 7 %. */
const enough = 200

/**
 * How often permuted keys score as far from E as the real ones, to either side or, one-sided, above:
 * p = (1 + hits) / (1 + permutations), or, where 200 hits come before, 200 / permutations (Besag and Clifford,
 * Biometrika 78, 1991).
 */
export function permutationP(
  { classes, blocks, observed, expected }: Permutable,
  stream: Stream,
  oneSided: boolean,
  permutations: number,
): number {
  const distance = oneSided ? observed - expected : Math.abs(observed - expected)
  // Sums are made in another order each time: what differs by rounding only counts as equal.
  const slack = 1e-9 * (Math.abs(observed) + Math.abs(expected) + 1)
  const left = new Int32Array(classes)
  let hits = 0
  for (let p = 0; p < permutations; p++) {
    let total = 0
    for (const { size, counts, extra, rows } of blocks) {
      left.set(counts)
      for (let i = 0; i < rows; i++) {
        // Uniform but for a bias below size / 2^32.
        let rank = (stream.u32() * (size - i)) / 4294967296
        let key = 0
        while (rank >= (left[key] as number)) rank -= left[key++] as number
        left[key] = (left[key] as number) - 1
        total += extra[i * classes + key] as number
      }
    }
    const reached = oneSided ? total - expected : Math.abs(total - expected)
    if (reached >= distance - slack && ++hits === enough) return enough / (p + 1)
  }
  return (1 + hits) / (1 + permutations)
}
