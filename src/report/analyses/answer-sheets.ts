import { type Frame, memoize } from '../../core/index.ts'
import { clusterCodes, clustering, rowsWhere, type SampledPair, take } from '../../libraries/statistics/index.ts'

/** What was answered under one condition (a model, a style): an item a place, in order of first appearance. */
export interface Sheet {
  /** Codes of the items, and of each one of its rows. */
  readonly items: Int32Array
  readonly rows: Int32Array
  /** Samples of each item: how many, their sum and their sum of squares. */
  readonly samples: Int32Array
  readonly sums: Float64Array
  readonly squares: Float64Array
  /** One sample an item. */
  readonly single: boolean
}

/** The sheet of some rows; `right` by row, NaN where nothing was graded. */
export function sheetOf(frame: Frame, right: Float64Array, rows: Int32Array): Sheet {
  const graded = rowsWhere(rows, (row) => !Number.isNaN(right[row]))
  const codes = new Int32Array(take(frame.category('item').codes, graded))
  const { count, of, sizes, firsts } = clustering(codes)
  const [sums, squares] = [new Float64Array(count), new Float64Array(count)]
  for (let i = 0; i < graded.length; i++) {
    const place = of[i] as number
    const value = right[graded[i] as number] as number
    sums[place] = (sums[place] as number) + value
    squares[place] = (squares[place] as number) + value * value
  }
  return {
    items: firsts.map((first) => codes[first] as number),
    rows: firsts.map((first) => graded[first] as number),
    samples: sizes,
    sums,
    squares,
    single: count === graded.length,
  }
}

/** The items that two sheets share, in the order of the first, each with its mean under both. */
export interface Shared {
  /** Where they stand in each sheet. */
  readonly places: { readonly a: Int32Array; readonly b: Int32Array }
  readonly first: Float64Array
  readonly second: Float64Array
  /** One row of each, of the first sheet. */
  readonly rows: Int32Array
  /** The groups that they are of. */
  readonly clusters: Int32Array
}

/** Room in which the items of a sheet are looked up, written over by each pair; items without a name have the code -1. */
const roomOf = memoize((frame: Frame) => new Int32Array(frame.category('item').levels.length + 1))

export function sharedItems(frame: Frame, a: Sheet, b: Sheet): Shared {
  const room = roomOf(frame)
  for (let place = 0; place < b.items.length; place++) room[(b.items[place] as number) + 1] = place
  const places = { a: new Int32Array(a.items.length), b: new Int32Array(a.items.length) }
  let n = 0
  for (let place = 0; place < a.items.length; place++) {
    const item = a.items[place] as number
    const other = room[item + 1] as number
    if (b.items[other] !== item) continue
    places.a[n] = place
    places.b[n++] = other
  }
  const shared = { a: places.a.subarray(0, n), b: places.b.subarray(0, n) }
  const rows = shared.a.map((place) => a.rows[place] as number)
  return {
    places: shared,
    first: meansOf(a, shared.a),
    second: meansOf(b, shared.b),
    rows,
    clusters: clusterCodes(frame, rows),
  }
}

function meansOf({ sums, samples }: Sheet, places: Int32Array): Float64Array {
  const means = new Float64Array(places.length)
  for (let i = 0; i < means.length; i++) {
    const place = places[i] as number
    means[i] = (sums[place] as number) / (samples[place] as number)
  }
  return means
}

/** The samples of shared items, for where noise comes from. */
export function sampledPairs(a: Sheet, b: Sheet, { places }: Shared): readonly SampledPair[] {
  const sampled = ({ samples, sums, squares }: Sheet, place: number) => ({
    n: samples[place] as number,
    sum: sums[place] as number,
    squares: squares[place] as number,
  })
  return Array.from(places.a, (place, i) => ({ a: sampled(a, place), b: sampled(b, places.b[i] as number) }))
}
