import type { Stream } from '../../core/index.ts'
import type { Blocks, Scored } from './statistic.ts'

/**
 * Permutations of the keys inside blocks, scores fixed. Only the uncommon is drawn: rows whose scores differ from the most
 * common ones, or rows whose key is not the most common. The rest adds the same in every permutation.
 */

/** Rows with uncommon scores draw a key each, without replacement. */
interface KeysForRows {
  readonly by: 'rows'
  /** Rows of the block, in all and by key. */
  readonly size: number
  readonly counts: Int32Array
  /** [i * classes + k]: what row i with key k adds beyond a common row. */
  readonly extra: Float64Array
  readonly draws: number
}

/** Uncommon keys draw a row each, without replacement. */
interface RowsForKeys {
  readonly by: 'keys'
  readonly uncommon: Int32Array
  /** [i * classes + k]: what row i with key k adds beyond the most common key. */
  readonly extra: Float64Array
  /** The rows, shuffled further by every draw. */
  readonly shuffled: Int32Array
  readonly draws: number
}

export interface Permutable {
  readonly classes: number
  readonly blocks: readonly (KeysForRows | RowsForKeys)[]
  /** Draws per permutation. */
  readonly draws: number
  /** Least expected number of rows with uncommon scores and one key: below five the normal tail is unreliable. */
  readonly smallestCell: number
  /** T and its mean, less what is the same in every permutation. */
  readonly observed: number
  readonly expected: number
}

/** What permutations need; null: one costs more than `max` draws. */
export function permutable(scored: Scored, blocks: Blocks, max = Number.POSITIVE_INFINITY): Permutable | null {
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
    const most = counts.reduce((best, count, k) => (count > (counts[best] as number) ? k : best), 0)
    const uncommon = order.length - (counts[most] as number)
    draws += Math.min(special.length, uncommon)
    if (draws > max) return null
    for (let k = 0; k < classes; k++)
      cells[k] = (cells[k] as number) + (special.length * (counts[k] as number)) / order.length
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
          shuffled: Int32Array.from(order, (_, i) => i),
          draws: uncommon,
        }
    live.push(block)
  }
  const occurring = cells.filter((cell) => cell > 0)
  return { classes, blocks: live, draws, smallestCell: Math.min(...occurring), observed, expected }
}

const scoreOf = ({ classes, scores }: Scored, row: number, key: number): number => scores[row * classes + key] as number

/** Scores up to a shift; for two classes their difference. */
function signature(scored: Scored, row: number): number | string {
  const base = scoreOf(scored, row, 0)
  if (scored.classes === 2) return scoreOf(scored, row, 1) - base
  return Array.from({ length: scored.classes - 1 }, (_, k) => scoreOf(scored, row, k + 1) - base).join()
}

/** A row with the most common scores, and all rows with others. */
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

/** What a block adds in a permutation; `left` is scratch space, one number per class. */
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

function drawKeys({ uncommon, extra, shuffled, draws }: RowsForKeys, stream: Stream, classes: number): number {
  let total = 0
  for (let i = 0; i < draws; i++) {
    const at = i + Math.floor((stream.u32() * (shuffled.length - i)) / 4294967296)
    const row = shuffled[at] as number
    shuffled[at] = shuffled[i] as number
    shuffled[i] = row
    total += extra[row * classes + (uncommon[i] as number)] as number
  }
  return total
}

/** Hits after which the relative error of a p value is 7 %. */
const ENOUGH_HITS = 200

/**
 * Permutation p value of |T - E| (one-sided: of T - E): (1 + hits) / (1 + permutations), or 200 / permutations once there
 * are 200 hits. Without a hit in `permutations`, drawing continues to the first hit, up to `max`; then p = 1 / draws, a
 * valid p value that is small enough among many tests (Besag and Clifford, Biometrika 78, 1991).
 */
export function permutationP(
  { classes, blocks, observed, expected }: Permutable,
  stream: Stream,
  oneSided: boolean,
  permutations: number,
  max = permutations,
): number {
  const distance = oneSided ? observed - expected : Math.abs(observed - expected)
  // The order of summation varies: values that differ by rounding count as equal.
  const slack = 1e-9 * (Math.abs(observed) + Math.abs(expected) + 1)
  const left = new Int32Array(classes)
  let hits = 0
  let drawn = 0
  while (drawn < permutations || (hits === 0 && drawn < max)) {
    let total = 0
    for (const block of blocks)
      total += block.by === 'rows' ? drawRows(block, stream, left) : drawKeys(block, stream, classes)
    drawn++
    const reached = oneSided ? total - expected : Math.abs(total - expected)
    if (reached >= distance - slack && ++hits === ENOUGH_HITS) return ENOUGH_HITS / drawn
  }
  return drawn > permutations && hits > 0 ? hits / drawn : (1 + hits) / (1 + drawn)
}
