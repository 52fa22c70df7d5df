import type { Figure, Table } from '../../core/index.ts'
import { isShown } from '../../libraries/statistics/group-counts.ts'
import { isEstimate } from '../formats/values.ts'

type Row = Table['rows'][number]

/**
 * The table without the shares that say too little to be drawn: those of fewer than 10 items, or with an interval wider than .5. null: no
 * two of a series are left, so the figure is not drawn.
 */
export function drawableTable(figure: Figure, table: Table): Table | null {
  const shares = table.columns.flatMap(({ key, kind, unit }) => (kind === 'estimate' && unit === 'share' ? [key] : []))
  const drawn = shares.filter((key) => keysOf(figure).includes(key))
  const isWeak = (row: Row): boolean =>
    drawn.some((key) => {
      const value = row[key]
      return isEstimate(value) && !isShown(value)
    })
  const rows = table.rows.filter((row) => !isWeak(row))
  if (rows.length === table.rows.length) return table
  const series = figure.marks.find((mark) => mark.series !== undefined && !drawn.includes(mark.series))?.series
  const sizes = Map.groupBy(rows, (row) => (series === undefined ? '' : String(row[series])))
  return Math.max(0, ...[...sizes.values()].map(({ length }) => length)) < 2 ? null : { ...table, rows }
}

const keysOf = ({ x, y, marks }: Figure): readonly (string | undefined)[] => [
  x.key,
  y.key,
  ...marks.flatMap((mark) => [mark.x, mark.y, mark.series]),
]
