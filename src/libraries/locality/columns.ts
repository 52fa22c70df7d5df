import type { Counts } from './statements.ts'

/** A numeric column over all rows; 0 where a row has no value. */
export interface Column {
  readonly probe: string
  readonly values: Float64Array
}

const MAX_COLUMNS = 160
/** A column must differ from its most common value in at least this many rows. */
const MIN_VARIED = 10

/** Counts as columns: those that vary over at least ten rows, the most varied first, at most 160. */
export function columnsOf(rows: readonly Counts[]): Column[] {
  return [...sparseColumns(rows)]
    .filter(([, { at }]) => at.length >= MIN_VARIED)
    .map(([probe, sparse]) => ({ probe, sparse, varied: rows.length - commonest(sparse, rows.length) }))
    .filter(({ varied }) => varied >= MIN_VARIED)
    .sort((a, b) => b.varied - a.varied || (a.probe < b.probe ? -1 : 1))
    .slice(0, MAX_COLUMNS)
    .map(({ probe, sparse: { at, value } }) => {
      const values = new Float64Array(rows.length)
      for (const [i, row] of at.entries()) values[row] = value[i] as number
      return { probe, values }
    })
}

/** Sparse column: rows with a value, and the values. */
interface SparseColumn {
  readonly at: number[]
  readonly value: number[]
}

function sparseColumns(rows: readonly Counts[]): ReadonlyMap<string, SparseColumn> {
  const all = new Map<string, SparseColumn>()
  for (const [row, counts] of rows.entries())
    for (const [name, value] of counts) {
      let sparse = all.get(name)
      if (sparse === undefined) {
        sparse = { at: [], value: [] }
        all.set(name, sparse)
      }
      sparse.at.push(row)
      sparse.value.push(value)
    }
  return all
}

/** Number of rows with the most common value. */
function commonest({ value: values }: SparseColumn, rows: number): number {
  const counts = new Map([[0, rows - values.length]])
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts.values()].reduce((most, count) => Math.max(most, count), 0)
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

/** The least value of every bin but the first, in order. */
export function edgesOf(values: Float64Array, bins: number): readonly number[] {
  const sorted = values.slice().sort()
  const distinct = [...new Set(sorted)]
  if (distinct.length <= bins) return distinct.slice(1)
  const cuts = Array.from(
    { length: bins - 1 },
    (_, b) => sorted[Math.floor(((b + 1) * sorted.length) / bins)] as number,
  )
  return [...new Set(cuts)]
}

const binsOf = (values: Float64Array, edges: readonly number[]): Uint8Array =>
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
