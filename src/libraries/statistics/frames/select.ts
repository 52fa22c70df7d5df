import type { Frame } from '../../../core/analysis.ts'
import { take } from './partition.ts'

/**
 * Some rows of a frame as a frame, computed column by column when asked for. Levels that no longer occur are dropped.
 *
 * @example
 * import { memoryFrame, selectRows } from '@touchstone-eval/touchstone/statistics'
 *
 * const frame = memoryFrame({ value: [1, 0, 1] })
 * console.log(selectRows(frame, Int32Array.of(1, 2)).number('value')) // Float64Array(2) [ 0, 1 ]
 */
export function selectRows(frame: Frame, rows: Int32Array): Frame {
  const numbers = new Map<string, Float64Array>()
  const categories = new Map<string, { codes: Int32Array; levels: readonly string[] }>()
  return {
    length: rows.length,
    has: (name) => frame.has(name),
    number(name) {
      const known = numbers.get(name) ?? take(frame.number(name), rows)
      numbers.set(name, known)
      return known
    },
    category(name) {
      const known = categories.get(name) ?? narrowed(frame.category(name), rows)
      categories.set(name, known)
      return known
    },
  }
}

function narrowed(column: { readonly codes: Int32Array; readonly levels: readonly string[] }, rows: Int32Array) {
  const renumbered = new Int32Array(column.levels.length).fill(-1)
  const levels: string[] = []
  const codes = rows.map((row) => {
    const code = column.codes[row] as number
    if (code < 0) return -1
    if (renumbered[code] === -1) {
      renumbered[code] = levels.length
      levels.push(column.levels[code] as string)
    }
    return renumbered[code] as number
  })
  return { codes, levels }
}
