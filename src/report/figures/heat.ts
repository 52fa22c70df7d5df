import * as Plot from '@observablehq/plot'
import type { Column, Figure, Mark, Table } from '../../core/index.ts'
import { type AxisKind, type Datum, distinct, markData } from './data.ts'
import { CELL_INK } from './theme.ts'

/** The colours of a heat map, from the lowest to the highest amount. */
export interface Ramp {
  readonly low: number
  readonly high: number
  /** Options of Plot's colour scale. */
  readonly scale: Plot.ScaleOptions
  colour(amount: number): string
}

/** The cells of a heat map. */
export interface Heat {
  readonly ramp: Ramp
  /** The label of the colour. */
  readonly label: string
  /** The labels of the texts in the cells, line by line. */
  readonly lines: readonly string[]
  /** Cells without a row. */
  readonly missing: readonly { readonly x: string; readonly y: string; readonly facet: string }[]
  /** The amount in the cell of a datum; null without one. */
  amountAt(datum: Datum): number | null
}

const placeOf = ({ x, y, facet }: Pick<Datum, 'x' | 'y' | 'facet'>): string => JSON.stringify([facet, x, y])

/** null for figures without cells. */
export function heatOf(figure: Figure, table: Table, x: AxisKind, y: AxisKind): Heat | null {
  const mark = figure.marks.find(({ kind }) => kind === 'cell')
  if (mark === undefined) return null
  const all = markData(figure, mark, table, x, y)
  const filled = new Map(all.filter(({ amount }) => Number.isFinite(amount)).map((d) => [placeOf(d), d.amount]))
  const column = columnOf(table, mark)
  const [xs, ys] = [distinct(all.map((d) => String(d.x))), distinct(all.map((d) => String(d.y)))]
  const grid = distinct(all.map((d) => d.facet)).flatMap((facet) =>
    xs.flatMap((a) => ys.map((b) => ({ x: a, y: b, facet }))),
  )
  const written = figure.marks.filter(({ kind }) => kind === 'text')
  return {
    ramp: rampOf([...filled.values()], column?.unit === 'share'),
    label: column?.label ?? '',
    lines: written.map((line) => columnOf(table, line)?.label ?? ''),
    missing: grid.filter((place) => !filled.has(placeOf(place))),
    amountAt: (datum) => filled.get(placeOf(datum)) ?? null,
  }
}

const columnOf = (table: Table, mark: Mark): Column | undefined => table.columns.find(({ key }) => key === mark.series)

/**
 * Amounts of one sign in blues (shares always over 0..1, so that maps compare), correlations and differences in red and blue around
 * 0. White is kept for missing cells.
 */
function rampOf(amounts: readonly number[], share: boolean): Ramp {
  const most = Math.max(0, ...amounts.map(Math.abs))
  const both = amounts.some((amount) => amount < 0)
  const high = share || most === 0 ? Math.max(1, most) : most
  const low = both ? -high : 0
  const scale: Plot.ScaleOptions = both
    ? { type: 'diverging', scheme: 'rdbu', domain: [low, high], pivot: 0 }
    : { type: 'linear', scheme: 'blues', range: [0.12, 1], domain: [low, high] }
  const made = Plot.scale({ color: scale })
  return { low, high, scale, colour: (amount) => String(made.apply(amount)) }
}

/** Dark or white ink, whichever has more contrast on a fill (`#rrggbb` or `rgb(r, g, b)`). */
export function inkOn(fill: string): string {
  const hex = /^#(..)(..)(..)$/.exec(fill)?.slice(1)
  const channels = hex?.map((part) => Number.parseInt(part, 16)) ?? (fill.match(/\d+/g) ?? []).map(Number)
  const [r = 0, g = 0, b = 0] = channels.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  // Relative luminance of WCAG 2; at .21 ink and white have equal contrast.
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.21 ? CELL_INK : '#ffffff'
}
