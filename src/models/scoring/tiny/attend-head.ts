import { dotRows, type RowRange } from './dot-rows.ts'

/**
 * Softmax attention of one head (a part of the query and of each row) over the rows of keys and a key that stands for
 * nothing, whose logit is `nothing`; the weighted values are added to `out`.
 */
export function attendHead(
  { from, width, d, rows }: RowRange,
  query: Float64Array,
  keys: Float32Array,
  values: Float32Array,
  nothing: number,
  out: Float64Array,
): void {
  const logits = scratchFor(rows)
  dotRows(logits, { from, width, d, rows }, query, keys)
  let most = nothing
  for (let row = 0; row < rows; row++) if (logits[row]! > most) most = logits[row]!
  let total = Math.exp(nothing - most)
  let kept = 0
  for (let row = 0; row < rows; row++) {
    const gap = logits[row]! - most
    // Below exp(-20) of the largest, even thousands of rows stay under the tolerance of the reference.
    if (gap < -20) continue
    const share = Math.exp(gap)
    total += share
    logits[kept] = share
    keptRows[kept++] = row * d + from
  }
  addRows(out, logits, keptRows, values, from, width, kept)
  for (let i = from; i < from + width; i++) out[i]! /= total
}

/** Adds `shares` times the values that begin at `starts`, four at a time. */
function addRows(
  out: Float64Array,
  shares: Float64Array,
  starts: Int32Array,
  values: Float32Array,
  from: number,
  width: number,
  count: number,
): void {
  let n = 0
  for (; n + 4 <= count; n += 4) {
    const a = shares[n]!
    const b = shares[n + 1]!
    const c = shares[n + 2]!
    const e = shares[n + 3]!
    const first = starts[n]!
    const second = starts[n + 1]!
    const third = starts[n + 2]!
    const fourth = starts[n + 3]!
    for (let i = 0; i < width; i++)
      out[from + i]! +=
        a * values[first + i]! + b * values[second + i]! + c * values[third + i]! + e * values[fourth + i]!
  }
  for (; n < count; n++) {
    const start = starts[n]!
    for (let i = 0; i < width; i++) out[from + i]! += shares[n]! * values[start + i]!
  }
}

let scratch = new Float64Array(1024)
let keptRows = new Int32Array(1024)
function scratchFor(rows: number): Float64Array {
  if (rows > scratch.length) {
    scratch = new Float64Array(2 * rows)
    keptRows = new Int32Array(2 * rows)
  }
  return scratch
}
