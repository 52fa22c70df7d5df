import * as Plot from '@observablehq/plot'
import type { Figure, Mark, Table } from '../../core/index.ts'
import { type AxisKind, type Datum, distinct, markData } from './data.ts'
import { type Heat, inkOn } from './heat.ts'
import { colour, FAINT, INK, REFERENCE, symbol } from './theme.ts'

export interface Panel {
  readonly x: AxisKind
  readonly y: AxisKind
  /** Levels of the coloured series, in legend order. */
  readonly series: readonly string[]
  /** Column and row of a facet. */
  place(facet: string): { readonly fx: number; readonly fy: number }
  readonly faceted: boolean
  /** null where there are no cells. */
  readonly heat: Heat | null
}

type Options = { [option: string]: unknown }

/** One layer of a figure as Plot marks. */
export function plotMarks(figure: Figure, mark: Mark, table: Table, panel: Panel): Plot.Markish[] {
  const data = markData(figure, mark, table, panel.x, panel.y)
  if (data.length === 0) return []
  const facets: Options = panel.faceted
    ? { fx: (d: Datum) => panel.place(d.facet).fx, fy: (d: Datum) => panel.place(d.facet).fy }
    : {}
  switch (mark.kind) {
    case 'cell':
      return [
        Plot.cell(data, { x: 'x', y: 'y', fill: 'amount', inset: 0.5, ...facets } as Plot.CellOptions),
        Plot.text(panel.heat?.missing ?? [], {
          x: 'x',
          y: 'y',
          text: () => MISSING,
          fill: INK,
          ...facets,
        } as Plot.TextOptions),
      ]
    case 'text':
      return [panel.heat === null ? label(data, facets) : inCells(data, mark, figure, panel.heat, facets)]
    case 'reference':
      return [reference(data, figure, mark, panel, facets)]
    case 'rule':
      return [rule(data, mark, facets)]
    case 'bar':
      return [bar(data, mark, panel, facets)]
    case 'box':
      return [
        Plot.boxY(data, { x: 'x', y: 'y', fill: FAINT, stroke: colour(0), r: 2, ...facets } as Plot.BoxYOptions),
      ].flat()
    case 'interval':
      return perSeries(data, mark, panel, (inside, at, dodge) =>
        interval(inside, figure, mark, panel, { stroke: colour(at), strokeWidth: 1.5, ...dodge, ...facets }),
      )
    case 'line':
      return perSeries(data, mark, panel, (inside, at, dodge) => [
        Plot.line(panel.x === 'category' ? inside : sorted(inside), {
          x: 'x',
          y: 'y',
          stroke: colour(at),
          strokeWidth: 1.5,
          z: null,
          ...dodge,
          ...facets,
        } as Plot.LineOptions),
      ])
    case 'point':
      return perSeries(data, mark, panel, (inside, at, dodge) => [
        Plot.dot(inside, {
          x: 'x',
          y: 'y',
          r: inside.length > 200 ? 2 : 3,
          fill: colour(at),
          symbol: symbol(at),
          fillOpacity: inside.length > 200 ? 0.6 : 1,
          ...dodge,
          ...facets,
        } as Plot.DotOptions),
      ])
  }
}

/** Dashes of reference lines, in the order of a figure's marks. */
export const DASHES = ['6 4', '2 3'] as const

export const dashOf = (figure: Figure, mark: Mark): string =>
  DASHES[figure.marks.filter(({ kind }) => kind === 'reference').indexOf(mark) % DASHES.length] as string

/** A reference line: once at each position, whatever the number of models; with series a line of each. */
function reference(all: readonly Datum[], figure: Figure, mark: Mark, panel: Panel, facets: Options): Plot.Markish {
  const places = new Map(all.map((d) => [JSON.stringify([d.facet, d.series, d.x, d.y]), d]))
  const data = [...places.values()]
  const style = { stroke: REFERENCE, strokeWidth: 1.5, strokeDasharray: dashOf(figure, mark), ...facets }
  if (panel.y === 'category') return Plot.tickX(data, { x: 'x', y: 'y', ...style } as Plot.TickXOptions)
  if (panel.x === 'category') return Plot.tickY(data, { x: 'x', y: 'y', ...style } as Plot.TickYOptions)
  const inOrder = sorted(data)
  // A line through references of several kinds of items would go up and down.
  return mark.series !== undefined || isMonotone(inOrder)
    ? Plot.line(inOrder, { x: 'x', y: 'y', z: 'series', ...style } as Plot.LineOptions)
    : Plot.dot(inOrder, { x: 'x', y: 'y', r: 2, ...style, strokeDasharray: 'none' } as Plot.DotOptions)
}

const ROUNDING = 1e-9

/** Within each panel. */
const isMonotone = (data: readonly Datum[]): boolean =>
  [...Map.groupBy(data, (d) => d.facet).values()].every((inside) => {
    const steps = inside.slice(1).map((d, i) => (d.y as number) - (inside[i]?.y as number))
    return steps.every((step) => step > -ROUNDING) || steps.every((step) => step < ROUNDING)
  })

/** On a category axis, series are shifted so that they do not overlap. */
function perSeries(
  data: readonly Datum[],
  mark: Mark,
  panel: Panel,
  draw: (inside: Datum[], at: number, dodge: Options) => Plot.Markish[],
): Plot.Markish[] {
  const names = mark.series === undefined ? [''] : distinct(data.map((d) => d.series))
  return names.flatMap((name) => {
    const at = Math.max(0, panel.series.indexOf(name))
    const inside = data.filter((d) => mark.series === undefined || d.series === name)
    const shift =
      panel.series.length > 1 ? (at - (panel.series.length - 1) / 2) * Math.min(7, 40 / panel.series.length) : 0
    const dodge: Options = panel.x === 'category' ? { dx: shift } : panel.y === 'category' ? { dy: shift } : {}
    return draw(inside, at, dodge)
  })
}

function interval(
  data: Datum[],
  figure: Figure,
  mark: Mark,
  panel: Panel,
  style: Options & { readonly stroke: string },
): Plot.Markish[] {
  if (data.some((d) => d.xLow !== d.xHigh && Number.isFinite(d.xLow))) {
    return byGroups(data).map(([inside, dash]) =>
      Plot.ruleY(inside, { y: 'y', x1: 'xLow', x2: 'xHigh', ...style, ...dash } as Plot.RuleYOptions),
    )
  }
  // The line of another column, such as a curve, does not join intervals.
  const joined = figure.marks.some(({ kind, series, y }) => kind === 'line' && series === mark.series && y === mark.y)
  if (joined && panel.x !== 'category' && data.length > 3) {
    const { stroke: fill, ...rest } = style
    const band = { x: 'x', y1: 'yLow', y2: 'yHigh', fill, fillOpacity: 0.13, z: null, ...rest, stroke: 'none' }
    return [Plot.areaY(sorted(data), band as Plot.AreaYOptions), ...brokenEdges(sorted(data), style)]
  }
  return byGroups(data).map(([inside, dash]) =>
    Plot.ruleX(inside, { x: 'x', y1: 'yLow', y2: 'yHigh', ...style, ...dash } as Plot.RuleXOptions),
  )
}

/** Dashes of intervals over few groups. */
export const FEW_DASH = '3 2'

/** Intervals over enough groups, and over few, which are dashed. */
const byGroups = (data: Datum[]): readonly (readonly [Datum[], Options])[] =>
  [false, true].flatMap((few) => {
    const inside = data.filter((d) => d.few === few)
    return inside.length === 0 ? [] : [[inside, few ? { strokeDasharray: FEW_DASH } : {}] as const]
  })

/** The dashed edges of a band where it rests on few groups, up to the points on either side. */
function brokenEdges(data: readonly Datum[], style: Options): Plot.Markish[] {
  const isBroken = (i: number): boolean =>
    data[i - 1]?.few === true || data[i]?.few === true || data[i + 1]?.few === true
  if (!data.some(({ few }) => few)) return []
  // NaN makes a gap in the line.
  const edge = (key: 'yLow' | 'yHigh') => data.map((d, i) => ({ ...d, edge: isBroken(i) ? d[key] : Number.NaN }))
  const options = { x: 'x', y: 'edge', z: null, ...style, strokeWidth: 1, strokeDasharray: FEW_DASH }
  return [edge('yLow'), edge('yHigh')].map((line) => Plot.line(line, options as Plot.LineOptions))
}

function rule(data: readonly Datum[], mark: Mark, facets: Options): Plot.Markish {
  const style = { stroke: '#888888', strokeDasharray: '4,3' }
  const once = (key: 'x' | 'y') =>
    distinct(data.map((d) => `${d.facet}\u0000${d[key]}`)).map(
      (k) => data.find((d) => `${d.facet}\u0000${d[key]}` === k) as Datum,
    )
  return mark.x === undefined
    ? Plot.ruleY(once('y'), { y: 'y', ...style, ...facets } as Plot.RuleYOptions)
    : Plot.ruleX(once('x'), { x: 'x', ...style, ...facets } as Plot.RuleXOptions)
}

function bar(data: readonly Datum[], mark: Mark, panel: Panel, facets: Options): Plot.Markish {
  const fill = mark.series === undefined ? colour(0) : (d: Datum) => colour(panel.series.indexOf(d.series))
  if (panel.y === 'category' && panel.x !== 'category') {
    return Plot.barX(data, { x: 'x', y: 'y', fill, ...facets } as Plot.BarXOptions)
  }
  return panel.x === 'category'
    ? Plot.barY(data, { x: 'x', y: 'y', fill, ...facets } as Plot.BarYOptions)
    : Plot.rectY(data, {
        x1: (d: Datum) => (d.x as number) - half(data),
        x2: (d: Datum) => (d.x as number) + half(data),
        y: 'y',
        fill,
        ...facets,
      } as Plot.RectYOptions)
}

/** Half the smallest step between bars on a numeric axis. */
function half(data: readonly Datum[]): number {
  const at = distinct(data.map((d) => d.x as number)).sort((a, b) => a - b)
  let step = Number.POSITIVE_INFINITY
  for (let i = 1; i < at.length; i++) step = Math.min(step, (at[i] as number) - (at[i - 1] as number))
  return Number.isFinite(step) ? step * 0.45 : 0.45
}

/** The sign of a cell without a row. */
export const MISSING = '\u2013'

const label = (data: readonly Datum[], facets: Options): Plot.Markish =>
  Plot.text(data, { x: 'x', y: 'y', text: 'label', fill: INK, dy: -9, ...facets } as Plot.TextOptions)

/** Line height in a cell, pixels. */
const LINE = 13

/** One line of text in cells, in ink with contrast to the fill; lines below the first are smaller. */
function inCells(data: readonly Datum[], mark: Mark, figure: Figure, heat: Heat, facets: Options): Plot.Markish {
  const lines = figure.marks.filter(({ kind }) => kind === 'text')
  const at = lines.indexOf(mark)
  return Plot.text(
    data.filter((d) => heat.amountAt(d) !== null),
    {
      x: 'x',
      y: 'y',
      text: 'label',
      fill: (d: Datum) => inkOn(heat.ramp.colour(heat.amountAt(d) ?? 0)),
      dy: (at - (lines.length - 1) / 2) * LINE,
      fontSize: at === 0 ? 12 : 10,
      ...facets,
    } as Plot.TextOptions,
  )
}

const sorted = (data: readonly Datum[]): Datum[] => [...data].sort((a, b) => (a.x as number) - (b.x as number))

/** The frame and grid behind the marks. */
export const background = (): Plot.Markish[] => [Plot.frame({ stroke: FAINT })]
