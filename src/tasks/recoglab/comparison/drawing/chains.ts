import { belowBig } from '../../../../core/random.ts'
import type { Stream } from '../../../../core/streams.ts'

/** All chains of one length in a partial order, counted so that each can be drawn equally often. */
export interface Chains<T> {
  readonly pool: readonly T[]
  /** By member: the positions of the members above it. */
  readonly above: readonly (readonly number[])[]
  /** Row n, column i: in how many ways n more members can follow member i. */
  readonly ways: readonly (readonly bigint[])[]
}

/**
 * @param pool sorted so that nobody stands before a member below it
 * @param length members of a chain, at least 1
 */
export function chains<T>(pool: readonly T[], isAbove: (lower: T, upper: T) => boolean, length: number): Chains<T> {
  const above = pool.map((a, i) => pool.flatMap((b, j) => (j > i && isAbove(a, b) ? [j] : [])))
  const ways: bigint[][] = [pool.map(() => 1n)]
  for (let n = 1; n < length; n++) {
    const fewer = ways[n - 1] as readonly bigint[]
    ways.push(above.map((next) => next.reduce((sum, j) => sum + (fewer[j] as bigint), 0n)))
  }
  return { pool, above, ways }
}

/** One of the chains, least member first; null where there is none. */
export function drawChain<T>({ pool, above, ways }: Chains<T>, stream: Stream): T[] | null {
  const chain: T[] = []
  let open: readonly number[] = pool.map((_, i) => i)
  for (const row of [...ways].reverse()) {
    const total = open.reduce((sum, i) => sum + (row[i] as bigint), 0n)
    if (total === 0n) return null
    let left = belowBig(stream, total)
    const taken = open.find((i) => {
      left -= row[i] as bigint
      return left < 0n
    }) as number
    chain.push(pool[taken] as T)
    open = above[taken] as readonly number[]
  }
  return chain
}
