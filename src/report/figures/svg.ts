import type { Figure, Table } from '../../core/index.ts'
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
