import { below } from '../../core/random.ts'
import type { Stream } from '../../core/streams.ts'
import { drawBinomial } from './distributions/binomial.ts'

/** Groups with equal values in all columns are of one kind. */
export interface GroupKinds {
  /** The kind of each group: 0, 1, .. in order of first appearance. */
  readonly kindOf: Int32Array
  /** A group of each kind: its first. */
  readonly firsts: Int32Array
  /** How many groups of each kind there are. */
  readonly counts: Int32Array
}

/**
 * Kinds of groups with the same value in every column: sums over drawn groups are computed over kinds, which are far fewer.
 *
 * @example
 * import { distinctGroups } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(distinctGroups([Float64Array.of(1, 0, 1)], 3).kindOf) // Int32Array(3) [ 0, 1, 0 ]
 */
export function distinctGroups(columns: readonly Float64Array[], groups: number): GroupKinds {
  const kindOf = new Int32Array(groups)
  for (const column of columns) refine(kindOf, column)
  const firsts: number[] = []
  const counts: number[] = []
  for (const [g, kind] of kindOf.entries()) {
    if (kind === firsts.length) firsts.push(g)
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  return { kindOf, firsts: Int32Array.from(firsts), counts: Int32Array.from(counts) }
}

/** Splits kinds by one more column; numbered in order of first appearance. */
function refine(kindOf: Int32Array, column: Float64Array): void {
  const values = new Map<number, number>()
  for (const value of column) if (!values.has(value)) values.set(value, values.size)
  const known = new Map<number, number>()
  for (let g = 0; g < kindOf.length; g++) {
    const key = (kindOf[g] as number) * values.size + (values.get(column[g] as number) as number)
    const kind = known.get(key) ?? known.size
    if (kind === known.size) known.set(key, kind)
    kindOf[g] = kind
  }
}

/** From this many groups per kind on, kinds are drawn instead of groups. */
const MANY = 8

/**
 * Numbers of groups of each kind when as many groups as there are get drawn with replacement. With few kinds the time
 * grows with their number, not with the number of groups.
 *
 * @example
 * import { analysisStream, drawnKinds, distinctGroups } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(drawnKinds(distinctGroups([new Float64Array(8)], 8), analysisStream(1, 'groups'))) // Int32Array(1) [ 8 ]
 */
export function drawnKinds({ kindOf, counts }: GroupKinds, stream: Stream): Int32Array {
  const groups = kindOf.length
  const drawn = new Int32Array(counts.length)
  if (groups < MANY * counts.length) {
    for (let g = 0; g < groups; g++) {
      const kind = kindOf[below(stream, groups)] as number
      drawn[kind] = (drawn[kind] as number) + 1
    }
    return drawn
  }
  // One kind after another, from the groups not yet drawn.
  let [left, others] = [groups, groups]
  for (const [kind, count] of counts.entries()) {
    drawn[kind] = drawBinomial(stream, left, count / others)
    left -= drawn[kind] as number
    others -= count
  }
  return drawn
}
