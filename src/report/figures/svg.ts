import { type Figure, type Table, UsageError } from '../../core/index.ts'
import { isShown } from '../../libraries/statistics/group-counts.ts'
import { isEstimate } from '../formats/values.ts'
import type { Row } from '../rows.ts'
import { drawingDocument } from './drawing-document.ts'

const document = drawingDocument()

/** A figure as SVG text, drawn without a browser. Throws where its table is missing. */
export async function figureSvg(figure: Figure, tables: readonly Table[]): Promise<string> {
  const table = tables.find(({ id }) => id === figure.table)
  if (table === undefined) {
    throw new Error(`figure ${figure.id} needs table ${figure.table}, got ${tables.map(({ id }) => id).join(', ')}`)
  }
  // Plot is loaded with the first figure, to save memory while rows are loaded.
  const { drawFigure } = await import('./draw.ts')
  return drawFigure(figure, table, document)
}

/** A drawn figure as PNG bytes at twice its size, with the system's fonts. Pixels may differ between machines; the SVG does not. */
export async function figurePng(svg: string): Promise<Uint8Array> {
  const { Resvg } = await import('@resvg/resvg-js').catch((error: Error) => {
    const [why] = error.message.split('\n', 1)
    throw new UsageError(
      `cannot load resvg, which draws PNG (${why}). Install the optional dependencies of this package, or omit the format png`,
    )
  })
  const drawing = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: 2 },
    font: { loadSystemFonts: true, defaultFontFamily: 'DejaVu Sans', sansSerifFamily: 'DejaVu Sans' },
  })
  return drawing.render().asPng()
}

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
