import { textWidth } from './theme.ts'

/** What takes room in a figure. */
export interface Contents {
  /** Levels of a categorical axis; empty for a numeric one. */
  readonly xs: readonly string[]
  readonly ys: readonly string[]
  readonly across: number
  readonly down: number
  readonly series: number
  readonly heat: boolean
}

export interface Size {
  readonly width: number
  readonly height: number
  readonly marginLeft: number
  readonly marginBottom: number
  readonly marginTop: number
  readonly marginRight: number
  /** Are the labels of x written at a slant? */
  readonly rotate: boolean
  /** Share of a row of panels that is gap: room for their labels. */
  readonly rowGap: number
  /** Pixels for the label of a panel. */
  readonly panelWidth: number
}

const WIDTH = 760
/** Pixels that labels of rows may take beside a figure, with its axis, and labels at a slant below it. */
const MAX_BESIDE = 300
const MAX_BELOW = 150
/** Characters of a label that has room there. */
export const BESIDE = 34
const GAP = 34
/** Of 35 degrees. */
const COS = 0.82

const longest = (levels: readonly string[]): number => Math.max(0, ...levels.map((level) => textWidth(level, 12)))

/** How far labels written at a slant reach to the left of the first panel: each ends under its own tick. */
const slantedPast = (labels: readonly string[], step: number): number =>
  Math.max(0, ...labels.map((label, place) => textWidth(label, 12) * COS - (place + 0.5) * step)) + 12

/** Room for the labels, and panels that neither crowd nor sprawl. */
export function sizeOf({ xs, ys, across, down, series, heat }: Contents): Size {
  const forRows = Math.min(MAX_BESIDE, Math.max(64, longest(ys) + 36))
  const width = Math.max(WIDTH, heat ? forRows + 46 * xs.length * across : 0)
  const room = ((width - forRows - 24) / across) * 0.92
  const rotate = xs.length > 0 && longest(xs) + 6 > room / xs.length
  const marginLeft = Math.max(forRows, rotate ? slantedPast(xs, room / xs.length) : 0)
  const panelWidth = ((width - marginLeft - 24) / across) * 0.92
  const perRow = heat ? 34 : Math.max(26, 10 + 8 * series)
  const inner = ys.length > 0 ? Math.max(90, perRow * ys.length) : down > 1 ? 170 : 330
  const marginBottom = (rotate ? Math.min(MAX_BELOW, longest(xs) * 0.6) : 0) + 48
  const marginTop = across * down > 1 ? 30 : 24
  return {
    width,
    height: inner * down + GAP * (down - 1) + marginBottom + marginTop,
    marginLeft,
    marginBottom,
    marginTop,
    marginRight: 24,
    rotate,
    rowGap: GAP / (inner + GAP),
    panelWidth,
  }
}
