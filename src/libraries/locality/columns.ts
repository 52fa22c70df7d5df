import type { Counts } from './statements.ts'

/** A number that every row shows, 0 where it does not. */
export interface Column {
  readonly probe: string
  readonly values: Float64Array
}

const maxColumns = 160
/** A value that fewer rows differ from tells too few of them. */
const leastRows = 10

/** What rows show as columns: those that vary over at least ten rows, the most varied first, at most 160. */
export function columnsOf(rows: readonly Counts[]): Column[] {
  return [...shownOf(rows)]
    .filter(([, { at }]) => at.length >= leastRows)
    .map(([probe, shown]) => ({ probe, shown, varied: rows.length - commonest(shown, rows.length) }))
    .filter(({ varied }) => varied >= leastRows)
    .sort((a, b) => b.varied - a.varied || (a.probe < b.probe ? -1 : 1))
    .slice(0, maxColumns)
    .map(({ probe, shown: { at, value } }) => {
      const values = new Float64Array(rows.length)
      for (const [i, row] of at.entries()) values[row] = value[i] as number
      return { probe, values }
    })
}

/** The rows that show a number, and what they show: most names are shown by few rows. */
interface Shown {
  readonly at: number[]
  readonly value: number[]
}

function shownOf(rows: readonly Counts[]): ReadonlyMap<string, Shown> {
  const all = new Map<string, Shown>()
  for (const [row, counts] of rows.entries())
    for (const [name, value] of counts) {
      let shown = all.get(name)
      if (shown === undefined) {
        shown = { at: [], value: [] }
        all.set(name, shown)
      }
      shown.at.push(row)
      shown.value.push(value)
    }
  return all
}

/** How many of so many rows have the value that most have. */
function commonest({ value: values }: Shown, rows: number): number {
  const counts = new Map([[0, rows - values.length]])
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts.values()].reduce((most, count) => Math.max(most, count), 0)
}

/** Columns as small integers that keep their order. */
export interface Binned {
  readonly bins: number
  readonly columns: readonly Uint8Array[]
}

/** Every value its own bin where there are few, else about equally many rows a bin; `bins` is at most 256. */
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

/** The bin of a value, seen before or not. */
export function binOf(value: number, edges: readonly number[]): number {
  let [low, high] = [0, edges.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((edges[middle] as number) <= value) low = middle + 1
    else high = middle
  }
  return low
}

/** A probe that is fitted on some rows and scores others. */
export interface Learner {
  readonly probe: string
  /** At most so many rows to learn from and to score in a fold; the rest of a fold is left unscored. */
  readonly limits?: { readonly train: number; readonly test: number }
  /** Scores of every class for a row: higher is likelier. */
  fit(train: Int32Array, keys: Int32Array, classes: number): (row: number, scores: Float64Array) => void
}
