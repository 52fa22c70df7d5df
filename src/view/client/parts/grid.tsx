import type { ComponentChildren } from 'preact'
import type { Json } from '../../../core/index.ts'
import type { ShownTable } from '../../api/index.ts'
import { Scroll } from './controls.tsx'
import { formatShare, formatValue, small } from './format.ts'
import { Interval } from './interval.tsx'
import { modelName } from './names.ts'
import { estimateOf } from './tables.ts'

type Cell<T> = (row: T, at: number) => ComponentChildren

/** A column of a table: its head, and its cell of a row. */
export interface Column<T> {
  readonly head: ComponentChildren
  readonly cell: Cell<T>
  /** `row`: it names the row; `pic`: it holds marks on an axis; `number`: at the right, and on phones named by its head; `sentence`: wide enough for some words. */
  readonly kind?: 'row' | 'pic' | 'right' | 'number' | 'sentence' | undefined
  /** Stands before the cell on phones, where a row is a block. */
  readonly name?: string
  readonly sorted?: boolean
}

const ofKind =
  (kind: Column<never>['kind']) =>
  <T,>(head: ComponentChildren, cell: Cell<T>): Column<T> => ({ head, cell, kind })
const make = {
  text: ofKind(undefined),
  rowHead: ofKind('row'),
  numeric: ofKind('number'),
  right: ofKind('right'),
  marks: ofKind('pic'),
}
type Make<T> = { readonly [kind in keyof typeof make]: (head: ComponentChildren, cell: Cell<T>) => Column<T> }

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
  label: string
  caption?: ComponentChildren
  /** Those that are not there are left out. */
  columns: (make: Make<NoInfer<T>>) => readonly (Column<NoInfer<T>> | false | null)[]
  rows: readonly T[]
  keyOf: (row: T, at: number) => string
  kind?: string
  rowKind?: (row: T, at: number) => string
  bare?: boolean
}) {
  const columns = given(make).filter((column) => column !== null && column !== false)
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

/** A table of the report, cell for cell: estimates as dot and interval. */
export function DataTable({ table: { columns, rows, title }, most = 200 }: { table: ShownTable; most?: number }) {
  return (
    <>
      <Grid
        label={title}
        caption={title}
        rows={rows.slice(0, most)}
        keyOf={(_, at) => `${at}`}
        columns={() =>
          columns.map((column) => {
            const from = startOf(column, rows)
            const isLong = rows.some(({ [column.key]: value }) => typeof value === 'string' && value.length > 40)
            return {
              head: minus(column.label),
              name: minus(column.label),
              kind: column.kind !== 'text' ? 'number' : isLong ? 'sentence' : undefined,
              cell: (row: ShownTable['rows'][number]) => (
                <ValueCell value={row[column.key]} column={column} from={from} />
              ),
            } as const
          })
        }
      />
      {rows.length > most ? <p class="note">{rows.length - most} more rows are in the report.</p> : null}
    </>
  )
}

type TableColumn = ShownTable['columns'][number]

/** Labels of the report keep a hyphen for programs that read them. */
const minus = (label: string): string => label.replaceAll(' - ', ' − ')

/** Columns that hold differences. */
const DIFFERENCES = new Set(['difference', 'prediction'])

/** Start of the axis of a column: shared by all its intervals; 0 in the middle if values can be negative. */
const startOf = ({ key }: TableColumn, rows: ShownTable['rows']): -1 | 0 =>
  DIFFERENCES.has(key) || rows.some((row) => (estimateOf(row[key])?.low ?? 0) < 0) ? -1 : 0

function ValueCell({ value, column, from }: { value: Json | undefined; column: TableColumn; from: -1 | 0 }) {
  const estimate = estimateOf(value)
  if (estimate !== null) {
    const isShare = column.unit === 'share' && estimate.high <= 1 && estimate.low >= -1
    return !isShare ? (
      <>
        {short(estimate.value)} [{short(estimate.low)}, {short(estimate.high)}] <small>n={estimate.n}</small>
      </>
    ) : (
      <Interval estimate={estimate} from={from} />
    )
  }
  if (value === null || value === undefined) return <>–</>
  if (typeof value === 'number' && column.kind === 'share') return <>{formatShare(value)}</>
  if (typeof value === 'number' && !Number.isInteger(value))
    return <>{value < 0.001 && value > 0 ? small(value) : formatShare(value)}</>
  if (typeof value === 'string' && MODELS.has(column.key)) return <>{modelName(value)}</>
  return <>{formatValue(value)}</>
}

/** Columns that name models, as other pages name them. */
const MODELS = new Set(['model', 'a', 'b'])

const short = (value: number): string => formatValue(Number(value.toPrecision(4)))
