/** Which cluster (group of items, base item) each row belongs to: any integers, such as the codes of a frame's category. */
export type Clusters = ArrayLike<number>

/** Clusters renumbered 0..count-1 in order of first appearance. */
export interface Clustering {
  readonly count: number
  readonly of: Int32Array
  readonly sizes: Int32Array
}

export function clustering(clusters: Clusters): Clustering {
  const seen = new Map<number, number>()
  const of = new Int32Array(clusters.length)
  const sizes: number[] = []
  for (let i = 0; i < clusters.length; i++) {
    const code = clusters[i] as number
    let at = seen.get(code)
    if (at === undefined) {
      at = seen.size
      seen.set(code, at)
      sizes.push(0)
    }
    of[i] = at
    sizes[at] = (sizes[at] as number) + 1
  }
  return { count: seen.size, of, sizes: Int32Array.from(sizes) }
}

/** Sum of the values in each cluster. */
export function clusterSums(values: ArrayLike<number>, { of, count }: Clustering): Float64Array {
  const sums = new Float64Array(count)
  for (let i = 0; i < values.length; i++)
    sums[of[i] as number] = (sums[of[i] as number] as number) + (values[i] as number)
  return sums
}

export function checkLengths(what: string, a: ArrayLike<unknown>, b: ArrayLike<unknown>): void {
  if (a.length !== b.length) throw new RangeError(`${what} need the same length, got ${a.length} and ${b.length}`)
}
