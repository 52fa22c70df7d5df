/** Which cluster (group of items, base item) each row belongs to: any integers, such as the codes of a frame's category. */
export type Clusters = ArrayLike<number>

/** Clusters renumbered 0..count-1 in order of first appearance. */
export interface Clustering {
  readonly count: number
  readonly of: Int32Array
  readonly sizes: Int32Array
  /** Where each cluster has its first row. */
  readonly firsts: Int32Array
}

/**
 * Numbers clusters anew, in order of first appearance. Codes are any integers.
 *
 * @example
 * import { clustering } from '@touchstone-eval/touchstone/statistics'
 *
 * const { count, of, sizes } = clustering([7, -1, 7])
 * console.log(count, of, sizes) // 2 Int32Array(3) [ 0, 1, 0 ] Int32Array(2) [ 2, 1 ]
 */
export function clustering(clusters: Clusters): Clustering {
  const { low, high, whole } = rangeOf(clusters)
  const of = new Int32Array(clusters.length)
  const [sizes, firsts]: [number[], number[]] = [[], []]
  const add = (i: number, at: number): void => {
    if (at === sizes.length) {
      sizes.push(1)
      firsts.push(i)
    } else sizes[at] = (sizes[at] as number) + 1
    of[i] = at
  }
  if (whole && high - low < SPARSE * clusters.length) {
    const table = new Int32Array(high - low + 1)
    for (let i = 0; i < of.length; i++) {
      const code = (clusters[i] as number) - low
      if (table[code] === 0) table[code] = sizes.length + 1
      add(i, (table[code] as number) - 1)
    }
  } else {
    const seen = new Map<number, number>()
    for (let i = 0; i < of.length; i++) {
      const code = clusters[i] as number
      const at = seen.get(code) ?? sizes.length
      if (at === sizes.length) seen.set(code, at)
      add(i, at)
    }
  }
  return { count: sizes.length, of, sizes: Int32Array.from(sizes), firsts: Int32Array.from(firsts) }
}

/** Codes that lie close together are looked up in a table, which may have so many places a row; others by hash. */
const SPARSE = 16

function rangeOf(codes: Clusters): { readonly low: number; readonly high: number; readonly whole: boolean } {
  let [low, high, whole] = [0, 0, true]
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number
    if (code < low) low = code
    if (code > high) high = code
    whole &&= Number.isInteger(code)
  }
  return { low, high, whole }
}

/**
 * Sum of the values in each cluster.
 *
 * @example
 * import { clustering, clusterSums } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(clusterSums([1, 0, 2], clustering([7, -1, 7]))) // Float64Array(2) [ 3, 0 ]
 */
export function clusterSums(values: ArrayLike<number>, { of, count }: Clustering): Float64Array {
  const sums = new Float64Array(count)
  for (let i = 0; i < values.length; i++)
    sums[of[i] as number] = (sums[of[i] as number] as number) + (values[i] as number)
  return sums
}

export function checkLengths(what: string, a: ArrayLike<unknown>, b: ArrayLike<unknown>): void {
  if (a.length !== b.length) throw new RangeError(`${what} need the same length, got ${a.length} and ${b.length}`)
}
