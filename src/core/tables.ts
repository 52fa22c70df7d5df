import type { Axis, Column, Figure, Mark, Table } from './analysis.ts'

const unitOf = (unit: string | null | undefined): Pick<Column, 'unit'> => (unit ? { unit } : {})

/**
 * The columns of tables, by what their cells hold: a text, a number, a share 0..1, a p value, or an estimate with its interval. The
 * unit is shown beside the label.
 *
 * @example
 * import { column } from '@touchstone-eval/touchstone/task'
 *
 * const columns = [column.text('model', 'Model'), column.number('length', 'Length', 'tokens'), column.estimate('accuracy', 'Accuracy')]
 * console.log(columns.map(({ kind, unit }) => `${kind} ${unit}`)) // [ 'text undefined', 'number tokens', 'estimate share' ]
 */
export const column = {
  text: (key: string, label: string): Column => ({ key, label, kind: 'text' }),
  number: (key: string, label: string, unit?: string): Column => ({ key, label, kind: 'number', ...unitOf(unit) }),
  share: (key: string, label: string): Column => ({ key, label, kind: 'share', unit: 'share' }),
  /** `unit` null: no unit. */
  estimate: (key: string, label: string, unit: string | null = 'share'): Column => ({
    key,
    label,
    kind: 'estimate',
    ...unitOf(unit),
  }),
} as const

/**
 * A column that the table drops where no row has a value in it.
 *
 * @example
 * import { column, optional } from '@touchstone-eval/touchstone/task'
 *
 * const cost = optional(column.number('usd', 'Cost', 'USD'))
 * console.log(cost.optional) // true
 */
export const optional = (column: Column): Column => ({ ...column, optional: true })

/**
 * A table of these columns and rows, without the optional columns that are empty.
 *
 * @example
 * import { column, optional, table } from '@touchstone-eval/touchstone/task'
 *
 * const columns = [column.text('model', 'Model'), optional(column.share('chance', 'Chance'))]
 * console.log(table('toys/claim', 'Models', columns, [{ model: 'a', chance: null }]).columns.length) // 1
 */
export function table(id: string, title: string, columns: readonly Column[], rows: Table['rows']): Table {
  const isEmpty = (key: string) => rows.every((row) => row[key] === null || row[key] === undefined || row[key] === '')
  const dropped = new Set(columns.flatMap((one) => (one.optional === true && isEmpty(one.key) ? [one.key] : [])))
  const kept = (row: Table['rows'][number]) =>
    Object.fromEntries(Object.entries(row).filter(([key]) => !dropped.has(key)))
  return {
    id,
    title,
    columns: columns.flatMap(({ optional: _optional, ...one }) => (dropped.has(one.key) ? [] : [one])),
    rows: dropped.size === 0 ? rows : rows.map(kept),
  }
}

/** A column, and what it holds of a row. */
export type Cell<T> = readonly [column: Column, of: (row: T) => Table['rows'][number][string]]

/**
 * A table of rows of any kind: its columns say what they hold of a row, and `key` is what a row holds in the columns before them.
 *
 * @example
 * import { column, tableOf } from '@touchstone-eval/touchstone/task'
 *
 * const words = [{ key: {}, word: 'tap' }]
 * console.log(tableOf('toys/words', 'Words', [], words, [[column.text('word', 'Word'), ({ word }) => word]]).rows) // [ { word: 'tap' } ]
 */
export const tableOf = <T extends { readonly key: Table['rows'][number] }>(
  id: string,
  title: string,
  leading: readonly Column[],
  rows: readonly T[],
  cells: readonly Cell<T>[],
): Table =>
  table(
    id,
    title,
    [...leading, ...cells.map(([one]) => one)],
    rows.map((row) => ({ ...row.key, ...Object.fromEntries(cells.map(([{ key }, of]) => [key, of(row)])) })),
  )

/** A column of the table as an axis; what is not given comes from the column. */
type AxisSpec = string | (Partial<Axis> & { readonly key: string })

/** A figure over a table. Default id and title: those of the table. */
interface FigureSpec {
  readonly id?: string
  readonly title?: string
  readonly x: AxisSpec
  readonly y: AxisSpec
  readonly facet?: string | undefined
  readonly only?: Figure['only'] | undefined
  readonly marks: readonly Mark[]
}

/**
 * A figure over a table: axes take label and unit from its columns; references to columns that it lacks are dropped.
 *
 * @example
 * import { column, figure, marksBy, table } from '@touchstone-eval/touchstone/task'
 *
 * const rows = [{ model: 'a', length: 3, accuracy: 0.5 }]
 * const columns = [column.text('model', 'Model'), column.number('length', 'Length'), column.share('accuracy', 'Accuracy')]
 * const made = table('my/table', 'Accuracy by length', columns, rows)
 * console.log(figure(made, { x: 'length', y: 'accuracy', marks: marksBy('model', 'line') }).id) // my/table
 */
export function figure(
  over: Table,
  { id = over.id, title = over.title, x, y, facet, only, marks }: FigureSpec,
): Figure {
  const has = (key: string | undefined) => over.columns.some((column) => column.key === key)
  return {
    id,
    title,
    table: over.id,
    ...(only === undefined ? {} : { only }),
    x: axisOf(over, x),
    y: axisOf(over, y),
    ...(facet === undefined ? {} : { facet }),
    marks: marks.filter((mark) => mark.kind !== 'reference' || has(mark.y ?? mark.x)),
  }
}

function axisOf({ columns }: Table, spec: AxisSpec): Axis {
  const given = typeof spec === 'string' ? { key: spec } : spec
  const { label = given.key, unit } = columns.find(({ key }) => key === given.key) ?? {}
  return { label, ...unitOf(unit), ...given }
}

/**
 * Marks of these kinds, one colour per value of the column `series`.
 *
 * @example
 * import { marksBy } from '@touchstone-eval/touchstone/task'
 *
 * console.log(marksBy('model', 'line', 'point').map(({ kind }) => kind)) // [ 'line', 'point' ]
 */
export const marksBy = (series: string, ...kinds: readonly Mark['kind'][]): readonly Mark[] =>
  kinds.map((kind) => ({ kind, series }))

/**
 * The marks of a heat map: the colour is of the first column, and the cells print all of them.
 *
 * @example
 * import { heatMarks } from '@touchstone-eval/touchstone/task'
 *
 * console.log(heatMarks('accuracy', 'n').length) // 3
 */
export const heatMarks = (...columns: readonly [string, ...string[]]): readonly Mark[] => [
  { kind: 'cell', series: columns[0] },
  ...columns.map((series) => ({ kind: 'text' as const, series })),
]

/**
 * Every two of a list, the earlier first.
 *
 * @example
 * import { everyTwo } from '@touchstone-eval/touchstone/task'
 *
 * console.log(everyTwo(['a', 'b', 'c'])) // [ [ 'a', 'b' ], [ 'a', 'c' ], [ 'b', 'c' ] ]
 */
export const everyTwo = <T>(list: readonly T[]): readonly (readonly [T, T])[] =>
  list.flatMap((first, i) => list.slice(i + 1).map((second) => [first, second] as const))
