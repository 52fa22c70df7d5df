import type { Figure, Table } from '../../core/index.ts'
import { drawingDocument } from './drawing-document.ts'

const document = drawingDocument()

/** A figure as SVG text, drawn without a browser. Throws where the figure names a table that is not there. */
export async function figureSvg(figure: Figure, tables: readonly Table[]): Promise<string> {
  const table = tables.find(({ id }) => id === figure.table)
  if (table === undefined) {
    throw new Error(
      `figure ${figure.id} is drawn from table ${figure.table}; there are ${tables.map(({ id }) => id).join(', ')}`,
    )
  }
  // Plot is loaded with the first figure: before, rows need the room.
  const { drawFigure } = await import('./draw.ts')
  return drawFigure(figure, table, document)
}
