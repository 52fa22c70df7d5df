import { type Frame, memoize } from '../../core/index.ts'
import { clusterCodes, clustering, rowsWhere, type SampledPair, take } from '../../libraries/statistics/index.ts'

/** The scores of one side of a comparison (a model, a style) per item, in order of first appearance. */
export interface ItemMeans {
  /** Codes of the items, and one row of each. */
  readonly items: Int32Array
  readonly rows: Int32Array
  /** Number of samples of each item, their sum and sum of squares. */
  readonly samples: Int32Array
  readonly sums: Float64Array
  readonly squares: Float64Array
  /** One sample per item. */
  readonly single: boolean
}

/** The item means of some rows; `values` by row, NaN where nothing was graded. */
export function itemMeans(frame: Frame, values: Float64Array, rows: Int32Array): ItemMeans {
  const graded = rowsWhere(rows, (row) => !Number.isNaN(values[row]))
  const codes = new Int32Array(take(frame.category('item').codes, graded))
  const { count, of, sizes, firsts } = clustering(codes)
  const [sums, squares] = [new Float64Array(count), new Float64Array(count)]
  for (let i = 0; i < graded.length; i++) {
    const place = of[i] as number
    const value = values[graded[i] as number] as number
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

/** The items that two sides share, in the order of the first, each with its mean on both. */
export interface Shared {
  /** Their positions on each side. */
  readonly places: { readonly a: Int32Array; readonly b: Int32Array }
  readonly first: Float64Array
  readonly second: Float64Array
  /** One row of each, of the first side. */
  readonly rows: Int32Array
  /** Their groups. */
  readonly clusters: Int32Array
}

/** Lookup table from item code + 1 to position, reused by all pairs; items without a name have the code -1. */
const lookupOf = memoize((frame: Frame) => new Int32Array(frame.category('item').levels.length + 1))

export function sharedItems(frame: Frame, a: ItemMeans, b: ItemMeans): Shared {
  const lookup = lookupOf(frame)
  for (let place = 0; place < b.items.length; place++) lookup[(b.items[place] as number) + 1] = place
  const places = { a: new Int32Array(a.items.length), b: new Int32Array(a.items.length) }
  let n = 0
  for (let place = 0; place < a.items.length; place++) {
    const item = a.items[place] as number
    const other = lookup[item + 1] as number
    if (b.items[other] !== item) continue
    places.a[n] = place
    places.b[n++] = other
  }
  const shared = { a: places.a.subarray(0, n), b: places.b.subarray(0, n) }
  const rows = shared.a.map((place) => a.rows[place] as number)
  const [first, second] = [meansOf(a, shared.a), meansOf(b, shared.b)]
  return {
    places: shared,
    first,
    second,
    rows,
    clusters: clusterCodes(frame, rows, first, second),
  }
}

/** The means of a side at the items of some rows; NaN where it has none. */
export function meansAt(frame: Frame, of: ItemMeans | null, rows: Int32Array): Float64Array {
  const { codes } = frame.category('item')
  const means = new Map<number, number>()
  if (of !== null)
    for (const [place, item] of of.items.entries())
      means.set(item, (of.sums[place] as number) / (of.samples[place] as number))
  return Float64Array.from(rows, (row) => means.get(codes[row] as number) ?? Number.NaN)
}

function meansOf({ sums, samples }: ItemMeans, places: Int32Array): Float64Array {
  const means = new Float64Array(places.length)
  for (let i = 0; i < means.length; i++) {
    const place = places[i] as number
    means[i] = (sums[place] as number) / (samples[place] as number)
  }
  return means
}

/** The samples of shared items, for the variance components of a difference. */
export function sampledPairs(a: ItemMeans, b: ItemMeans, { places }: Shared): readonly SampledPair[] {
  const sampled = ({ samples, sums, squares }: ItemMeans, place: number) => ({
    n: samples[place] as number,
    sum: sums[place] as number,
    squares: squares[place] as number,
  })
  return Array.from(places.a, (place, i) => ({ a: sampled(a, place), b: sampled(b, places.b[i] as number) }))
}
