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
 * Renumbers clusters in order of first appearance. Codes are any integers.
 *
 * @example
 * import { clustering } from '@touchstone-eval/touchstone/statistics'
 *
 * const { count, of, sizes } = clustering([7, -1, 7])
 * console.log(count, of, sizes) // 2 Int32Array(3) [ 0, 1, 0 ] Int32Array(2) [ 2, 1 ]
 */
export function clustering(clusters: Clusters): Clustering {
  const length = clusters.length
  const { low, high, whole } = rangeOf(clusters)
  const near = whole && high - low < SPARSE * length
  scratch.grow(length, near ? high - low + 1 : 0)
  const { sizes, firsts } = scratch
  // One more than the number of a code's cluster; 0 where the code was not seen before.
  const known = near ? scratch.known : new Map<number, number>()
  const of = new Int32Array(length)
  let count = 0
  for (let i = 0; i < length; i++) {
    const code = clusters[i] as number
    let at = known instanceof Map ? (known.get(code) ?? 0) : (known[code - low] as number)
    if (at === 0) {
      firsts[count] = i
      sizes[count] = 0
      at = ++count
      if (known instanceof Map) known.set(code, at)
      else known[code - low] = at
    }
    of[i] = at - 1
    sizes[at - 1] = (sizes[at - 1] as number) + 1
  }
  return { count, of, sizes: sizes.slice(0, count), firsts: firsts.slice(0, count) }
}

/** Reused memory: analyses renumber thousands of times, and allocation costs more than counting. */
const scratch = {
  sizes: new Int32Array(0),
  firsts: new Int32Array(0),
  known: new Int32Array(0),
  grow(rows: number, codes: number): void {
    if (this.sizes.length < rows) [this.sizes, this.firsts] = [new Int32Array(rows), new Int32Array(rows)]
    if (this.known.length < codes) this.known = new Int32Array(codes)
    else this.known.fill(0, 0, codes)
  },
}

/** Close codes are looked up in a table of at most this many entries per row, others in a map. */
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

/**
 * Mean of the values in each cluster, its sum as exact as that of {@link sum}.
 *
 * @example
 * import { clustering, clusterMeans } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(clusterMeans([1, 0, 2], clustering([7, -1, 7]))) // Float64Array(2) [ 1.5, 0 ]
 */
export function clusterMeans(values: ArrayLike<number>, { of, sizes, count }: Clustering): Float64Array {
  const means = new Float64Array(count)
  const lost = new Float64Array(count)
  for (let i = 0; i < values.length; i++) {
    const cluster = of[i] as number
    const [x, total] = [values[i] as number, means[cluster] as number]
    const next = total + x
    lost[cluster] = (lost[cluster] as number) + (Math.abs(total) >= Math.abs(x) ? total - next + x : x - next + total)
    means[cluster] = next
  }
  for (let c = 0; c < count; c++) means[c] = ((means[c] as number) + (lost[c] as number)) / (sizes[c] as number)
  return means
}

/** Are all values 0 or 1? */
export function areBinary(values: ArrayLike<number>): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] !== 0 && values[i] !== 1) return false
  return true
}

export function checkLengths(what: string, a: ArrayLike<unknown>, b: ArrayLike<unknown>): void {
  if (a.length !== b.length) throw new RangeError(`${what} need the same length, got ${a.length} and ${b.length}`)
}
