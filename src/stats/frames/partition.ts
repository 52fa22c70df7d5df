import type { Frame } from '../../core/analysis.ts'

/** Rows of a frame that agree on some columns. */
export interface Part {
  /** The level of each column; null where it is missing. */
  readonly key: { readonly [column: string]: string | null }
  readonly rows: Int32Array
}

/**
 * All rows of a frame, for functions that take some of them.
 *
 * @example
 * import { allRows, memoryFrame } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(allRows(memoryFrame({ model: ['a', 'b'] }))) // Int32Array(2) [ 0, 1 ]
 */
export function allRows(frame: Frame): Int32Array {
  const rows = new Int32Array(frame.length)
  for (let i = 0; i < rows.length; i++) rows[i] = i
  return rows
}

/**
 * Splits rows by the levels of columns, in order of first appearance. Numbers and booleans are levels by their decimal text. One pass
 * over the rows for each column.
 *
 * @example
 * import { memoryFrame, partition } from '@touchstone-eval/touchstone/statistics'
 *
 * const frame = memoryFrame({ model: ['a', 'b', 'a'] })
 * console.log(partition(frame, ['model']).map(({ key, rows }) => `${key['model']}: ${rows}`)) // [ 'a: 0,2', 'b: 1' ]
 */
export function partition(frame: Frame, columns: readonly string[], rows: Int32Array = allRows(frame)): Part[] {
  let parts: Part[] = rows.length === 0 ? [] : [{ key: {}, rows }]
  for (const column of columns) {
    const { codes, levels } = frame.category(column)
    parts = parts.flatMap((part) =>
      split(part.rows, codes).map(([code, inside]) => ({
        key: { ...part.key, [column]: code < 0 ? null : (levels[code] as string) },
        rows: inside,
      })),
    )
  }
  return parts
}

function split(rows: Int32Array, codes: Int32Array): [number, Int32Array][] {
  const counts = new Map<number, number>()
  for (const row of rows) counts.set(codes[row] as number, (counts.get(codes[row] as number) ?? 0) + 1)
  if (counts.size === 1) return [[codes[rows[0] as number] as number, rows]]
  const lists = new Map([...counts].map(([code, n]) => [code, new Int32Array(n)]))
  const filled = new Map<number, number>()
  for (const row of rows) {
    const code = codes[row] as number
    const at = filled.get(code) ?? 0
    ;(lists.get(code) as Int32Array)[at] = row
    filled.set(code, at + 1)
  }
  return [...lists]
}

/**
 * The values of a column at some rows.
 *
 * @example
 * import { take } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(take([0.5, 1, 0], [2, 0])) // Float64Array(2) [ 0, 0.5 ]
 */
export function take(values: ArrayLike<number>, rows: ArrayLike<number>): Float64Array {
  const out = new Float64Array(rows.length)
  for (let i = 0; i < out.length; i++) out[i] = values[rows[i] as number] as number
  return out
}

/**
 * The rows where a test holds.
 *
 * @example
 * import { rowsWhere } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(rowsWhere(Int32Array.of(0, 1, 2, 3), (row) => row > 1)) // Int32Array(2) [ 2, 3 ]
 */
export const rowsWhere = (rows: Int32Array, test: (row: number) => boolean): Int32Array => rows.filter(test)

/**
 * Levels in reading order: as numbers where all are numbers, else as text; missing last.
 *
 * @example
 * import { inOrder } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(inOrder(['10', '9', null])) // [ '9', '10', null ]
 */
export function inOrder(levels: Iterable<string | null>): (string | null)[] {
  const list = [...levels]
  const numeric = list.every((level) => level === null || (level !== '' && Number.isFinite(Number(level))))
  return list.sort((a, b) => {
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
    return numeric ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0
  })
}
