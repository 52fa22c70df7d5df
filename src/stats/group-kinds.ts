import { below } from '../core/random.ts'
import type { Stream } from '../core/stream.ts'

/** Groups that no column tells apart are of one kind. */
export interface GroupKinds {
  /** The kind of each group: 0, 1, .. in order of first appearance. */
  readonly kindOf: Int32Array
  /** A group of each kind: its first. */
  readonly firsts: Int32Array
}

/**
 * Which groups have the same value in every column: a draw of groups is added up over kinds, of which there are far fewer.
 *
 * @example
 * import { groupKinds } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(groupKinds([Float64Array.of(1, 0, 1)], 3).kindOf) // Int32Array(3) [ 0, 1, 0 ]
 */
export function groupKinds(columns: readonly Float64Array[], groups: number): GroupKinds {
  const known = new Map<string, number>()
  const firsts: number[] = []
  const kindOf = new Int32Array(groups)
  for (let g = 0; g < groups; g++) {
    const key = columns.map((column) => column[g]).join(' ')
    const kind = known.get(key) ?? known.size
    if (kind === known.size) {
      known.set(key, kind)
      firsts.push(g)
    }
    kindOf[g] = kind
  }
  return { kindOf, firsts: Int32Array.from(firsts) }
}

/**
 * How many groups of each kind there are.
 *
 * @example
 * import { kindCounts } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(kindCounts({ kindOf: Int32Array.of(0, 1, 0), firsts: Int32Array.of(0, 1) })) // Int32Array(2) [ 2, 1 ]
 */
export function kindCounts({ kindOf, firsts }: GroupKinds): Int32Array {
  const counts = new Int32Array(firsts.length)
  for (const kind of kindOf) counts[kind] = (counts[kind] as number) + 1
  return counts
}

/**
 * How many groups of each kind there are where as many groups are drawn with replacement.
 *
 * @example
 * import { analysisStream, drawnKinds } from '@touchstone-eval/touchstone/statistics'
 *
 * const kinds = { kindOf: new Int32Array(8), firsts: Int32Array.of(0) }
 * console.log(drawnKinds(kinds, analysisStream(1, 'groups'))) // Int32Array(1) [ 8 ]
 */
export function drawnKinds({ kindOf, firsts }: GroupKinds, stream: Stream): Int32Array {
  const groups = kindOf.length
  const counts = new Int32Array(firsts.length)
  for (let g = 0; g < groups; g++) {
    const kind = kindOf[below(stream, groups)] as number
    counts[kind] = (counts[kind] as number) + 1
  }
  return counts
}
