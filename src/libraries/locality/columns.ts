import type { Counts } from './statements.ts'

/** A numeric column over all rows; 0 where a row has no value. */
export interface Column {
  readonly probe: string
  readonly values: Float64Array | Uint8Array
}

const MAX_COLUMNS = 160
/** A column must differ from its most common value in at least this many rows. */
const MIN_VARIED = 10

/** Counts as columns: those that vary over at least ten rows, the most varied first, at most 160. */
export function columnsOf(rows: Iterable<Counts>): Column[] {
  const all = new Map<string, SparseColumn>()
  let count = 0
  for (const counts of rows) {
    for (const [name, value] of counts) {
      let sparse = all.get(name)
      if (sparse === undefined) {
        sparse = new SparseColumn()
        all.set(name, sparse)
      }
      sparse.add(count, value)
    }
    count++
  }
  return [...all]
    .filter(([, { size }]) => size >= MIN_VARIED)
    .map(([probe, sparse]) => ({ probe, sparse, varied: count - sparse.commonest(count) }))
    .filter(({ varied }) => varied >= MIN_VARIED)
    .sort((a, b) => b.varied - a.varied || (a.probe < b.probe ? -1 : 1))
    .slice(0, MAX_COLUMNS)
    .map(({ probe, sparse }) => ({ probe, values: sparse.dense(count) }))
}

/** Rows with a value, and the values: large sets have tens of millions. */
class SparseColumn {
  size = 0
  private rows = new Int32Array(16)
  private values = new Float64Array(16)

  add(row: number, value: number): void {
    if (this.size === this.rows.length) {
      this.rows = new Int32Array(this.rows.buffer.transfer(8 * this.size))
      this.values = new Float64Array(this.values.buffer.transfer(16 * this.size))
    }
    this.rows[this.size] = row
    this.values[this.size++] = value
  }

  /** Number of rows with the most common value; 0 where a row has none. */
  commonest(rows: number): number {
    const sorted = this.values.slice(0, this.size).sort()
    let most = rows - sorted.length
    for (let from = 0, to = 0; from < sorted.length; from = to) {
      while (to < sorted.length && sorted[to] === sorted[from]) to++
      most = Math.max(most, to - from + (sorted[from] === 0 ? rows - sorted.length : 0))
    }
    return most
  }

  /** The value of every row, after which nothing is left here: its memory is free for the columns that follow. */
  dense(rows: number): Column['values'] {
    const values = this.values.subarray(0, this.size)
    const dense = new (values.every((value) => value === (value & 255)) ? Uint8Array : Float64Array)(rows)
    for (const [i, value] of values.entries()) dense[this.rows[i] as number] = value
    this.rows = new Int32Array(0)
    this.values = new Float64Array(0)
    return dense
  }
}

/** Columns as small integers that keep their order. */
export interface Binned {
  readonly bins: number
  readonly columns: readonly Uint8Array[]
}

/** One bin per value if there are few, else bins of about equally many rows. @param bins - at most 256 */
export function binned(features: readonly Column[], bins: number): Binned {
  return { bins, columns: features.map(({ values }) => binsOf(values, edgesOf(values, bins))) }
}

/** Rows that edges are drawn from, evenly spaced. */
const MAX_EDGE_ROWS = 20_000

/** The least value of every bin but the first, in order. */
export function edgesOf(values: Column['values'], bins: number): readonly number[] {
  const every = Math.ceil(values.length / MAX_EDGE_ROWS)
  const sorted = (every > 1 ? values.filter((_, row) => row % every === 0) : values.slice()).sort()
  const distinct = [sorted[0] as number]
  for (let i = 1; i < sorted.length && distinct.length <= bins; i++)
    if (sorted[i] !== distinct.at(-1)) distinct.push(sorted[i] as number)
  if (distinct.length <= bins) return distinct.slice(1)
  const cuts = Array.from(
    { length: bins - 1 },
    (_, b) => sorted[Math.floor(((b + 1) * sorted.length) / bins)] as number,
  )
  return [...new Set(cuts)]
}

const binsOf = (values: Column['values'], edges: readonly number[]): Uint8Array =>
  Uint8Array.from(values, (value) => binOf(value, edges))

/** The bin of any value. */
export function binOf(value: number, edges: readonly number[]): number {
  let [low, high] = [0, edges.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((edges[middle] as number) <= value) low = middle + 1
    else high = middle
  }
  return low
}

/** A model fitted on some rows that scores others. */
export interface Learner {
  readonly probe: string
  /** Most rows to train on and to score in a fold. */
  readonly limits?: { readonly train: number; readonly test: number }
  /** Returns a function that writes the score of every class for a row; higher is likelier. */
  fit(train: Int32Array, keys: Int32Array, classes: number): (row: number, scores: Float64Array) => void
}
