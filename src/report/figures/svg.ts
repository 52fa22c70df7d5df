import type { Figure, Table } from '../../core/index.ts'
import { drawFigure } from './draw.ts'

let shared: Promise<Document> | undefined

/** jsdom is loaded with the first figure and kept: it takes longer to start than to draw. */
async function serverDocument(): Promise<Document> {
  shared ??= import('jsdom').then(({ JSDOM }) => new JSDOM('').window.document)
  return shared
}

/** A figure as SVG text, drawn without a browser. Throws where the figure names a table that is not there. */
export async function figureSvg(figure: Figure, tables: readonly Table[]): Promise<string> {
  const table = tables.find(({ id }) => id === figure.table)
  if (table === undefined) {
    throw new Error(
      `figure ${figure.id} is drawn from table ${figure.table}; there are ${tables.map(({ id }) => id).join(', ')}`,
    )
  }
  return drawFigure(figure, table, await serverDocument())
}
