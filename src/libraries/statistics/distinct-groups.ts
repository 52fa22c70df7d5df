import { below } from '../../core/random.ts'
import type { Stream } from '../../core/streams.ts'
import { drawBinomial } from './distributions/binomial.ts'

/** Groups that no column tells apart are of one kind. */
export interface GroupKinds {
  /** The kind of each group: 0, 1, .. in order of first appearance. */
  readonly kindOf: Int32Array
  /** A group of each kind: its first. */
  readonly firsts: Int32Array
  /** How many groups of each kind there are. */
  readonly counts: Int32Array
}

/**
 * Which groups have the same value in every column: a draw of groups is added up over kinds, of which there are far fewer.
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

/** Parts kinds by one column more; they stay numbered in order of first appearance. */
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

/** Groups a kind from which on kinds are drawn instead of groups. */
const MANY = 8

/**
 * How many groups of each kind there are where as many groups are drawn with replacement. Where kinds are few the time grows with
 * their number, not with that of the groups.
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
  // One kind after the other, of what the kinds before it have left.
  let [left, others] = [groups, groups]
  for (const [kind, count] of counts.entries()) {
    drawn[kind] = drawBinomial(stream, left, count / others)
    left -= drawn[kind] as number
    others -= count
  }
  return drawn
}
