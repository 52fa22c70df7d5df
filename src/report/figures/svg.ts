import { type Figure, type Table, UsageError } from '../../core/index.ts'
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
