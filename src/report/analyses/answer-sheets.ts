import type { Frame } from '../../core/index.ts'
import { clusterCodes, rowsWhere, type Sampled } from '../../stats/index.ts'

/** What was answered under one condition (a model, a style). */
export interface Sheet {
  /** Item code to its samples. */
  readonly samples: ReadonlyMap<number, Sampled>
  /** Item code to one of its rows. */
  readonly rowOf: ReadonlyMap<number, number>
  /** One sample an item. */
  readonly single: boolean
}

/** The sheet of some rows; `right` by row, NaN where nothing was graded. */
export function sheetOf(frame: Frame, right: Float64Array, rows: Int32Array): Sheet {
  const items = frame.category('item').codes
  const samples = new Map<number, Sampled>()
  const rowOf = new Map<number, number>()
  let single = true
  for (const row of rowsWhere(rows, (r) => !Number.isNaN(right[r]))) {
    const item = items[row] as number
    const value = right[row] as number
    const known = samples.get(item)
    if (known === undefined) rowOf.set(item, row)
    else single = false
    const { n, sum, squares } = known ?? { n: 0, sum: 0, squares: 0 }
    samples.set(item, { n: n + 1, sum: sum + value, squares: squares + value * value })
  }
  return { samples, rowOf, single }
}

/** The items that two sheets share, each with its mean under both, and the groups that they are of. */
export function sharedItems(frame: Frame, a: Sheet, b: Sheet) {
  const shared = [...a.samples].flatMap(([item, mine]) => {
    const theirs = b.samples.get(item)
    return theirs === undefined ? [] : [{ item, a: mine, b: theirs }]
  })
  return {
    shared,
    first: Float64Array.from(shared, (pair) => pair.a.sum / pair.a.n),
    second: Float64Array.from(shared, (pair) => pair.b.sum / pair.b.n),
    clusters: clusterCodes(
      frame,
      Int32Array.from(shared, ({ item }) => a.rowOf.get(item) as number),
    ),
  }
}
