import { textWidth } from './theme.ts'

/** The parts of a figure that need room. */
export interface Contents {
  /** Levels of a categorical axis; empty for a numeric one. */
  readonly xs: readonly string[]
  readonly ys: readonly string[]
  /** Labels of the ticks of a numeric y, the widest at least. */
  readonly ticks: readonly string[]
  readonly across: number
  readonly panels: number
  readonly series: number
  readonly heat: boolean
  /** Does a number stand below each level of x? */
  readonly counts: boolean
}

export interface Size {
  readonly width: number
  readonly height: number
  readonly marginLeft: number
  readonly marginBottom: number
  readonly marginTop: number
  readonly marginRight: number
  /** True if the labels of x are slanted. */
  readonly rotate: boolean
  /** Share of a row of panels that is gap, for their labels. */
  readonly rowGap: number
  /** Pixels for the label of a panel. */
  readonly panelWidth: number
}

const WIDTH = 760
/** Most pixels of row labels beside a figure, with its axis, and of slanted labels below it. */
const MAX_BESIDE = 300
const MAX_BELOW = 150
/** Characters of a label that fits there. */
export const BESIDE = 34
const GAP = 34
/** For labels at 35 degrees. */
const COS = 0.82

const longest = (levels: readonly string[]): number => Math.max(0, ...levels.map((level) => textWidth(level, 12)))

/** How far slanted labels reach to the left of the first panel: each ends under its tick. */
const slantedPast = (labels: readonly string[], step: number): number =>
  Math.max(0, ...labels.map((label, place) => textWidth(label, 12) * COS - (place + 0.5) * step)) + 12

/** The size of a figure: room for labels, and panels of a readable size. */
export function sizeOf({ xs, ys, ticks, across, panels, series, heat, counts }: Contents): Size {
  const down = Math.max(1, Math.ceil(panels / across))
  const forRows = Math.min(MAX_BESIDE, Math.max(64, longest([...ys, ...ticks]) + 36))
  const width = Math.max(WIDTH, heat ? forRows + 46 * xs.length * across : 0)
  const room = ((width - forRows - 24) / across) * 0.92
  const rotate = xs.length > 0 && longest(xs) + 6 > room / xs.length
  const marginLeft = Math.max(forRows, rotate ? slantedPast(xs, room / xs.length) : 0)
  const panelWidth = ((width - marginLeft - 24) / across) * 0.92
  const perRow = heat ? 34 : Math.max(26, 10 + 8 * series)
  const inner = ys.length > 0 ? Math.max(90, perRow * ys.length) : down > 1 ? 170 : 230
  const slanted = rotate ? Math.min(MAX_BELOW, longest(xs) * 0.6) : 0
  const marginBottom = slanted + (counts ? 64 : 48)
  // Above an incomplete row the labels of the last panels reach down, and to the left over its panels.
  const gap = down > 1 && panels % across !== 0 ? slanted + GAP : GAP
  const marginTop = across * down > 1 ? 30 : 24
  return {
    width,
    height: inner * down + gap * (down - 1) + marginBottom + marginTop,
    marginLeft,
    marginBottom,
    marginTop,
    marginRight: 24,
    rotate,
    rowGap: gap / (inner + gap),
    panelWidth,
  }
}
