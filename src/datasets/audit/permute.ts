import type { Stream } from '../../core/index.ts'
import type { Blocks, Scored } from './statistic.ts'

/**
 * Within-block permutations of the keys with the scores fixed, at the cost of what is rare in a block:
 * rows whose scores differ from the commonest ones, or rows whose key is not the commonest. What the others add is the
 * same in every permutation.
 */

/** Rows with uncommon scores take a key each, without replacement. */
interface KeysForRows {
  readonly by: 'rows'
  /** Rows of the block, and how many of them have each key. */
  readonly size: number
  readonly counts: Int32Array
  /** What row i adds, given key k, over a common row: [i * classes + k]. */
  readonly extra: Float64Array
  readonly draws: number
}

/** Keys that are not the commonest take a row each, without replacement. */
interface RowsForKeys {
  readonly by: 'keys'
  readonly uncommon: Int32Array
  /** What row i adds, given key k, over the commonest key: [i * classes + k]. */
  readonly extra: Float64Array
  /** The rows in an order of their own, which every draw shuffles further. */
  readonly places: Int32Array
  readonly draws: number
}

export interface Permutable {
  readonly classes: number
  readonly blocks: readonly (KeysForRows | RowsForKeys)[]
  /** The draws of one permutation. */
  readonly draws: number
  /** The fewest rows with uncommon scores expected with one key: below five the normal tail is not to be trusted. */
  readonly smallestCell: number
  /** T and its mean, but for what is the same in every permutation. */
  readonly observed: number
  readonly expected: number
}

export function permutable(scored: Scored, blocks: Blocks): Permutable {
  const { classes, keys } = scored
  const live: (KeysForRows | RowsForKeys)[] = []
  const cells = new Float64Array(classes)
  let draws = 0
  let observed = 0
  let expected = 0
  for (let b = 0; b < blocks.count; b++) {
    const order = blocks.order.subarray(blocks.start[b], blocks.start[b + 1])
    const counts = new Int32Array(classes)
    for (const row of order) counts[keys[row] as number] = (counts[keys[row] as number] as number) + 1
    if (counts.includes(order.length)) continue
    const { common, special } = byScores(scored, order)
    if (special.length === 0) continue
    for (let k = 0; k < classes; k++)
      cells[k] = (cells[k] as number) + (special.length * (counts[k] as number)) / order.length
    const most = counts.reduce((best, count, k) => (count > (counts[best] as number) ? k : best), 0)
    const uncommon = order.length - (counts[most] as number)
    const byRows = special.length <= uncommon
    const rows = byRows ? Int32Array.from(special) : order
    const extra = new Float64Array(rows.length * classes)
    for (const [i, row] of rows.entries())
      for (let k = 0; k < classes; k++) {
        const more = scoreOf(scored, row, k) - (byRows ? scoreOf(scored, common, k) : scoreOf(scored, row, most))
        extra[i * classes + k] = more
        expected += ((counts[k] as number) / order.length) * more
        if (keys[row] === k) observed += more
      }
    const block: KeysForRows | RowsForKeys = byRows
      ? { by: 'rows', size: order.length, counts, extra, draws: special.length }
      : {
          by: 'keys',
          uncommon: Int32Array.from(order, (row) => keys[row] as number).filter((key) => key !== most),
          extra,
          places: Int32Array.from(order, (_, i) => i),
          draws: uncommon,
        }
    live.push(block)
    draws += block.draws
  }
  const occurring = cells.filter((cell) => cell > 0)
  return { classes, blocks: live, draws, smallestCell: Math.min(...occurring), observed, expected }
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

/** What a block adds in a permutation; `left` is scratch of one number a class. */
function drawRows({ size, counts, extra, draws }: KeysForRows, stream: Stream, left: Int32Array): number {
  const classes = left.length
  // Blocks are small: `set` would cost more than the draws.
  for (let k = 0; k < classes; k++) left[k] = counts[k] as number
  let total = 0
  for (let i = 0; i < draws; i++) {
    // Uniform but for a bias below size / 2^32.
    let rank = (stream.u32() * (size - i)) / 4294967296
    let key = 0
    while (rank >= (left[key] as number)) rank -= left[key++] as number
    left[key] = (left[key] as number) - 1
    total += extra[i * classes + key] as number
  }
  return total
}

function drawKeys({ uncommon, extra, places, draws }: RowsForKeys, stream: Stream, classes: number): number {
  let total = 0
  for (let i = 0; i < draws; i++) {
    const at = i + Math.floor((stream.u32() * (places.length - i)) / 4294967296)
    const row = places[at] as number
    places[at] = places[i] as number
    places[i] = row
    total += extra[row * classes + (uncommon[i] as number)] as number
  }
  return total
}

/** Hits after which a p value is known well enough: its relative error is 7 %. */
const enough = 200

/**
 * How often permuted keys score as far from E as the real ones, to either side or, one-sided, above:
 * p = (1 + hits) / (1 + permutations), or, where 200 hits come before, 200 / permutations. Where none comes in
 * `permutations`, drawing goes on to the first, up to `most`, and p = 1 / draws then: a valid p value, and small enough to
 * count among many tests (Besag and Clifford, Biometrika 78, 1991).
 */
export function permutationP(
  { classes, blocks, observed, expected }: Permutable,
  stream: Stream,
  oneSided: boolean,
  permutations: number,
  most = permutations,
): number {
  const distance = oneSided ? observed - expected : Math.abs(observed - expected)
  // Sums are made in another order each time: what differs by rounding only counts as equal.
  const slack = 1e-9 * (Math.abs(observed) + Math.abs(expected) + 1)
  const left = new Int32Array(classes)
  let hits = 0
  let drawn = 0
  while (drawn < permutations || (hits === 0 && drawn < most)) {
    let total = 0
    for (const block of blocks)
      total += block.by === 'rows' ? drawRows(block, stream, left) : drawKeys(block, stream, classes)
    drawn++
    const reached = oneSided ? total - expected : Math.abs(total - expected)
    if (reached >= distance - slack && ++hits === enough) return enough / drawn
  }
  return drawn > permutations && hits > 0 ? hits / drawn : (1 + hits) / (1 + drawn)
}
