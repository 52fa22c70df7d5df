import type { Json } from '../../../core/index.ts'
import type { ShownTable } from '../../api/index.ts'
import { formatShare, formatValue, small } from './format.ts'
import { Interval } from './interval.tsx'
import { modelName } from './models.ts'
import { Scroll } from './scroll.tsx'
import { estimateOf } from './tables.ts'

/** A table of the report, cell for cell: estimates as dot and interval. */
export function DataTable({ table, most = 200 }: { readonly table: ShownTable; readonly most?: number }) {
  const { columns, rows, title } = table
  const starts = new Map(columns.map((column) => [column.key, startOf(column, rows)]))
  return (
    <Scroll label={title}>
      <table class="data">
        <caption>{title}</caption>
        <thead>
          <tr>
            {columns.map(({ key, label, kind }) => (
              <th key={key} scope="col" class={kind === 'text' ? '' : 'right'}>
                {minus(label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, most).map((row, number) => (
            <tr key={`${number}`}>
              {columns.map((column) => (
                <td key={column.key} class={column.kind === 'text' ? widthOf(row[column.key]) : 'right'}>
                  <Cell value={row[column.key]} column={column} from={starts.get(column.key) ?? 0} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > most ? <p class="note">{rows.length - most} more rows are in the report.</p> : null}
    </Scroll>
  )
}

/** What is a sentence has room for some words on a line. */
const widthOf = (value: Json | undefined): string => (typeof value === 'string' && value.length > 40 ? 'sentence' : '')

type Column = ShownTable['columns'][number]

/** Labels of the report keep a hyphen for programs that read them. */
const minus = (label: string): string => label.replaceAll(' - ', ' − ')

/** Columns that hold differences. */
const DIFFERENCES = new Set(['difference', 'prediction'])

/** Start of the axis of a column: shared by all its intervals; 0 in the middle if values can be negative. */
const startOf = ({ key }: Column, rows: ShownTable['rows']): -1 | 0 =>
  DIFFERENCES.has(key) || rows.some((row) => (estimateOf(row[key])?.low ?? 0) < 0) ? -1 : 0

function Cell({
  value,
  column,
  from,
}: {
  readonly value: Json | undefined
  readonly column: Column
  readonly from: -1 | 0
}) {
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
