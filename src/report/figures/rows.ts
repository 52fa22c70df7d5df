import type { Scale } from '@observablehq/plot'

/** So many times higher than wide a figure is a strip that nobody can read, were it to fit on one page. */
export const LONG = 2

/** Pixels above a row of panels where its names stand. */
const NAMES = 26

/** What tells where the rows of a drawing lie. */
interface Drawn {
  scale(name: 'y' | 'fy'): Scale | undefined
}

/** Pixels down to where a long figure may be cut, for paper: between its rows of panels, or else of levels. None of one that fits a page. */
export function cutsOf(
  plot: Drawn,
  faceted: boolean,
  size: { readonly width: number; readonly height: number },
): readonly number[] {
  if (size.height <= LONG * size.width) return []
  const { apply, domain = [], bandwidth = 0, step = bandwidth } = plot.scale(faceted ? 'fy' : 'y') ?? {}
  if (apply === undefined || bandwidth === 0) return []
  const above = faceted ? NAMES : (step - bandwidth) / 2
  return [...domain].slice(1).map((level) => Math.round(Number(apply(level)) - above))
}

/** Pixels of a figure as wide as a page that have room on one, by their share of its width. */
const PAGE = 1.3

/** The parts of a figure with such cuts, each at most a page where its rows allow it. */
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
