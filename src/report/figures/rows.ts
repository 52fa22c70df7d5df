import type { Scale } from '@observablehq/plot'

/** Figures more than this many times higher than wide are split over pages in print. */
export const LONG = 2

/** Pixels of the names above a row of panels. */
const NAMES = 26

/** The scales that locate the rows of a drawing. */
interface Scales {
  scale(name: 'y' | 'fy'): Scale | undefined
}

/** Where a long figure may be cut for print, in pixels: between its rows of panels, else of levels. Empty if it fits a page. */
export function cutsOf(
  plot: Scales,
  faceted: boolean,
  size: { readonly width: number; readonly height: number },
): readonly number[] {
  if (size.height <= LONG * size.width) return []
  const { apply, domain = [], bandwidth = 0, step = bandwidth } = plot.scale(faceted ? 'fy' : 'y') ?? {}
  if (apply === undefined || bandwidth === 0) return []
  const above = faceted ? NAMES : (step - bandwidth) / 2
  return [...domain].slice(1).map((level) => Math.round(Number(apply(level)) - above))
}

/** Height of a page, in widths of the figure. */
const PAGE = 1.3

/** The parts of a figure with these cuts, each at most a page where its rows allow it. */
export function pagesOf(
  cuts: readonly number[],
  { width, height }: { readonly width: number; readonly height: number },
) {
  const pages: { readonly from: number; readonly to: number }[] = []
  let from = 0
  const ends = [...cuts, height]
  for (const [i, end] of ends.entries()) {
    const next = ends[i + 1]
    if (next !== undefined && next - from <= PAGE * width) continue
    pages.push({ from, to: end })
    from = end
  }
  return pages
}
