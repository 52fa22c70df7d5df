import type { Frame } from '../../../core/analysis.ts'

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
export function allRows({ length }: { readonly length: number }): Int32Array {
  const rows = new Int32Array(length)
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
      split(part.rows, codes, levels.length).map(([code, inside]) => ({
        key: { ...part.key, [column]: code < 0 ? null : (levels[code] as string) },
        rows: inside,
      })),
    )
  }
  return parts
}

/** Reused memory, one number per code, always left at 0: allocation costs more than counting. */
let scratch = new Int32Array(0)

/** Rows by code (-1: missing), in order of first appearance. */
function split(rows: Int32Array, codes: Int32Array, levels: number): [number, Int32Array][] {
  if (scratch.length <= levels) scratch = new Int32Array(levels + 1)
  const found: number[] = []
  for (let i = 0; i < rows.length; i++) {
    const code = codes[rows[i] as number] as number
    const seen = scratch[code + 1] as number
    if (seen === 0) found.push(code)
    scratch[code + 1] = seen + 1
  }
  const sizes = found.map((code) => scratch[code + 1] as number)
  for (const [list, code] of found.entries()) scratch[code + 1] = list
  const lists = sizes.length === 1 ? [rows] : fill(rows, codes, sizes)
  for (const code of found) scratch[code + 1] = 0
  return found.map((code, list) => [code, lists[list] as Int32Array])
}

/** Rows in lists of these sizes; `scratch` maps codes to lists. */
function fill(rows: Int32Array, codes: Int32Array, sizes: readonly number[]): readonly Int32Array[] {
  const lists = sizes.map((size) => new Int32Array(size))
  const filled = new Int32Array(sizes.length)
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number
    const list = scratch[(codes[row] as number) + 1] as number
    const at = filled[list] as number
    ;(lists[list] as Int32Array)[at] = row
    filled[list] = at + 1
  }
  return lists
}

/**
 * Rows by level code; rows with a code that is no level are dropped.
 *
 * @example
 * import { rowsByLevel } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(rowsByLevel(Int32Array.of(0, 1, 2, 3), Int32Array.of(1, 0, -1, 1), 2)) // [ Int32Array(1) [ 1 ], Int32Array(2) [ 0, 3 ] ]
 */
export function rowsByLevel(rows: Int32Array, codes: Int32Array, levels: number): readonly Int32Array[] {
  const lists: Int32Array[] = Array.from({ length: levels }, () => new Int32Array(0))
  const inside = rowsWhere(rows, (row) => (codes[row] as number) >= 0 && (codes[row] as number) < levels)
  for (const [code, list] of split(inside, codes, levels)) lists[code] = list
  return lists
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
 * The values of a column at some rows, without those that are missing (NaN).
 *
 * @example
 * import { takeKnown } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(takeKnown([0.5, Number.NaN, 0], [2, 1, 0])) // Float64Array(2) [ 0, 0.5 ]
 */
export function takeKnown(values: ArrayLike<number>, rows: ArrayLike<number>): Float64Array {
  const out = new Float64Array(rows.length)
  let n = 0
  for (let i = 0; i < rows.length; i++) {
    const value = values[rows[i] as number] as number
    if (!Number.isNaN(value)) out[n++] = value
  }
  return n === out.length ? out : out.slice(0, n)
}

/**
 * The rows where a test holds.
 *
 * @example
 * import { rowsWhere } from '@touchstone-eval/touchstone/statistics'
 *
 * console.log(rowsWhere(Int32Array.of(0, 1, 2, 3), (row) => row > 1)) // Int32Array(2) [ 2, 3 ]
 */
export function rowsWhere(rows: Int32Array, test: (row: number) => boolean): Int32Array {
  const found = new Int32Array(rows.length)
  let n = 0
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number
    if (test(row)) found[n++] = row
  }
  // A copy, not a view, so that unused memory is freed.
  return found.slice(0, n)
}

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
