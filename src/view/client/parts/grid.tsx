import type { ComponentChildren } from 'preact'
import { Scroll } from './scroll.tsx'

/** A column of a table: its head, and its cell of a row. */
export interface Column<T> {
  readonly head: ComponentChildren
  readonly cell: (row: T, at: number) => ComponentChildren
  /** `row`: it names the row; `pic`: it holds marks on an axis; `number`: at the right, and on phones named by its head. */
  readonly kind?: 'row' | 'pic' | 'right' | 'number'
  /** Stands before the cell on phones, where a row is a block. */
  readonly name?: string
  readonly sorted?: boolean
}

/** The one table of the pages: it scrolls by itself, and on phones its rows are blocks. */
export function Grid<T>({
  label,
  caption,
  columns: given,
  rows,
  keyOf,
  kind = '',
  rowKind,
  bare = false,
}: {
  readonly label: string
  readonly caption?: ComponentChildren
  /** Those that are not there are left out. */
  readonly columns: readonly (Column<NoInfer<T>> | false | null)[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T, at: number) => string
  readonly kind?: string
  readonly rowKind?: (row: T, at: number) => string
  /** Without heads. */
  readonly bare?: boolean
}) {
  const columns = given.filter((column) => column !== null && column !== false)
  return (
    <Scroll label={label}>
      <table class={`wide blocks ${kind}`}>
        {caption === undefined ? null : <caption>{caption}</caption>}
        {bare ? null : (
          <thead>
            <tr>
              {columns.map(({ head, kind: of, sorted }, i) => (
                <th
                  key={`${i}`}
                  scope="col"
                  class={of === 'number' ? 'right' : of}
                  aria-sort={sorted === true ? 'descending' : undefined}
                >
                  {head}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, at) => (
            <tr key={keyOf(row, at)} class={rowKind?.(row, at)}>
              {columns.map(({ head, cell, kind: of, name }, i) =>
                of === 'row' ? (
                  <th key={`${i}`} scope="row">
                    {cell(row, at)}
                  </th>
                ) : (
                  <td
                    key={`${i}`}
                    class={of === 'number' ? 'right' : of}
                    data-name={name ?? (of === 'number' && typeof head === 'string' ? head : undefined)}
                  >
                    {cell(row, at)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
