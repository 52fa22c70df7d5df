import { UsageError } from '../../core/index.ts'

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
