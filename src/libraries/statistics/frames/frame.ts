import type { Frame } from '../../../core/analysis.ts'
import { take } from './partition.ts'

type Values = readonly (string | number | boolean | null)[]

/**
 * A frame of columns in memory, for tests and for small tables. A column is numeric unless it holds a text. A missing number
 * is NaN, a missing level has the code -1.
 *
 * @throws RangeError where columns differ in length
 *
 * @example
 * import { memoryFrame } from '@touchstone-eval/touchstone/statistics'
 *
 * const frame = memoryFrame({ model: ['a', 'b', 'a'], score: [1, 0, null] })
 * console.log(frame.category('model').levels, frame.number('score')) // [ 'a', 'b' ] Float64Array(3) [ 1, 0, NaN ]
 */
export function memoryFrame(columns: { readonly [name: string]: Values }): Frame {
  const length = Object.values(columns)[0]?.length ?? 0
  for (const [name, values] of Object.entries(columns)) {
    if (values.length !== length)
      throw new RangeError(`column ${name} has ${values.length} rows, others have ${length}`)
  }
  const need = (name: string): Values => {
    const values = columns[name]
    if (values === undefined) throw new Error(`the rows have no column "${name}"`)
    return values
  }
  return {
    length,
    has: (name) => columns[name] !== undefined,
    number: byName((name) => {
      const values = need(name)
      if (values.some((value) => typeof value === 'string')) throw new Error(`column "${name}" holds text, not numbers`)
      return Float64Array.from(values, (value) => (value === null ? Number.NaN : Number(value)))
    }),
    category: byName((name) => {
      const levels = new Map<string, number>()
      const codes = Int32Array.from(need(name), (value) => {
        if (value === null || Number.isNaN(value)) return -1
        const level = String(typeof value === 'boolean' ? Number(value) : value)
        const code = levels.get(level) ?? levels.size
        levels.set(level, code)
        return code
      })
      return { codes, levels: [...levels.keys()] }
    }),
  }
}

/** Makes a column once. */
function byName<T>(make: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>()
  return (name) => {
    const column = known.get(name) ?? make(name)
    known.set(name, column)
    return column
  }
}

/**
 * Some rows of a frame as a frame; columns are computed on first use. Levels that no longer occur are dropped.
 *
 * @example
 * import { memoryFrame, selectRows } from '@touchstone-eval/touchstone/statistics'
 *
 * const frame = memoryFrame({ score: [1, 0, 1] })
 * console.log(selectRows(frame, Int32Array.of(1, 2)).number('score')) // Float64Array(2) [ 0, 1 ]
 */
export const selectRows = (frame: Frame, rows: Int32Array): Frame => ({
  length: rows.length,
  has: (name) => frame.has(name),
  number: byName((name) => take(frame.number(name), rows)),
  category: byName((name) => narrowed(frame.category(name), rows)),
})

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
