import type { Frame } from '../../../core/analysis.ts'

/**
 * The cluster of each row: its group, so that items which share a grammar, and samples of one item, count together. Rows without a group
 * are clustered by item; so are all rows where there is but one group, which has nothing to be compared with.
 *
 * @example
 * import { allRows, clusterCodes, memoryFrame } from '@touchstone-eval/touchstone/statistics'
 *
 * const frame = memoryFrame({ model: ['a', 'a', 'b'], item: ['i1', 'i1', 'i1'], state: ['graded', 'unparsed', 'graded'], value: [1, null, 0.5] })
 * const codes = clusterCodes(frame, allRows(frame))
 * console.log(codes[0] === codes[2]) // true
 */
export function clusterCodes(frame: Frame, rows: Int32Array): Int32Array {
  const items = frame.category('item').codes
  const codes = new Int32Array(rows.length)
  if (!frame.has('group')) {
    for (let i = 0; i < rows.length; i++) codes[i] = items[rows[i] as number] as number
    return codes
  }
  const groups = frame.category('group').codes
  const one = inOneGroup(frame, rows)
  // Items are numbered below the groups, so that the two never meet.
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number
    const code = groups[row] as number
    codes[i] = !one && code >= 0 ? code : -1 - (items[row] as number)
  }
  return codes
}

/**
 * Are all rows with a group of one and the same? What is found then holds for this group, and says nothing of how groups differ.
 *
 * @example
 * import { allRows, inOneGroup, memoryFrame } from '@touchstone-eval/touchstone/statistics'
 *
 * const frame = memoryFrame({ model: ['a', 'a'], item: ['i1', 'i2'], group: ['g', 'g'], state: ['graded', 'graded'], value: [1, 0] })
 * console.log(inOneGroup(frame, allRows(frame))) // true
 */
export function inOneGroup(frame: Frame, rows: Int32Array): boolean {
  if (!frame.has('group')) return false
  const { codes } = frame.category('group')
  let first = -1
  for (const row of rows) {
    const code = codes[row] as number
    if (code < 0 || code === first) continue
    if (first >= 0) return false
    first = code
  }
  return first >= 0
}
