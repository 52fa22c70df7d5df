import * as Plot from '@observablehq/plot'
import type { Axis, Figure, Table } from '../../core/index.ts'
import { trueMinus } from '../../core/text.ts'
import { FEW_GROUPS } from '../../libraries/statistics/group-counts.ts'
import { plainText } from '../formats/values.ts'
import { type AxisKind, axisKind, distinct, markData } from './data.ts'
import { heatOf } from './heat.ts'
import { BESIDE, type Size, sizeOf } from './layout.ts'
import { escapeText, type Header, header, type Reference } from './legend.ts'
import { background, dashOf, FEW_DASH, type Panel, plotMarks } from './marks.ts'
import { charactersIn, shortNames } from './names.ts'
import { cutsOf } from './rows.ts'
import { FONT, INK, REFERENCE } from './theme.ts'

/** The document that Plot draws into. */
interface PlotDocument {
  readonly documentElement: object
}

/** The element that Plot returns. */
interface PlotElement {
  readonly outerHTML: string
  setAttribute(name: string, value: string): void
  scale(name: 'y' | 'fy'): Plot.Scale | undefined
}

/**
 * Draws a figure with Observable Plot, as the text of a self-contained SVG on a white ground. The same figure and table
 * give the same bytes. `document` is the browser's, or that of {@link drawingDocument}.
 */
export function drawFigure(figure: Figure, whole: Table, document: PlotDocument): string {
  const { only } = figure
  const table =
    only === undefined ? whole : { ...whole, rows: whole.rows.filter((row) => row[only.column] === only.value) }
  const x = axisKind(figure.x, table)
  const y = axisKind(figure.y, table)
  const data = figure.marks.flatMap((mark) => markData(figure, mark, table, x, y).map((datum) => ({ mark, datum })))
  const facets = figure.facet === undefined ? [] : distinct(data.map(({ datum }) => datum.facet))
  const heat = heatOf(figure, table, x, y)
  const series = distinct(
    data.filter(({ mark }) => mark.series !== undefined && !onCells(mark.kind)).map(({ datum }) => datum.series),
  )
  const levels = (kind: AxisKind, key: 'x' | 'y') => {
    if (kind !== 'category') return []
    const inRows = distinct(data.filter(({ mark }) => mark.kind !== 'rule').map(({ datum }) => String(datum[key])))
    const { key: column, isBinned } = figure[key]
    if (isBinned !== true) return inReadingOrder(inRows)
    const place = (level: string): number => Number(table.rows.find((row) => row[column] === level)?.['at'] ?? 0)
    return inRows.toSorted((a, b) => place(a) - place(b))
  }
  const xs = levels(x, 'x')
  const ys = inOrderOf(xs, levels(y, 'y'))
  const [xNames, yNames] = [shortNames(xs, BESIDE), shortNames(ys, BESIDE)]
  const sizeFor = (across: number) =>
    sizeOf({
      xs: [...xNames.values()],
      ys: [...yNames.values()],
      ticks: y === 'linear' ? data.map(({ datum }) => Math.round(Number(datum.y) || 0).toLocaleString('en-US')) : [],
      across,
      panels: facets.length,
      series: series.length,
      heat: heat !== null,
      counts: figure.x.isBinned === true,
    })
  const across = columnsOf(facets, (columns) => sizeFor(columns), xs.length)
  const size = sizeFor(across)
  const panel: Panel = {
    heat,
    x,
    y,
    series,
    faceted: facets.length > 1,
    place: (facet) => ({ fx: facets.indexOf(facet) % across, fy: Math.floor(facets.indexOf(facet) / across) }),
  }
  const plot = Plot.plot({
    document,
    ...size,
    style: { fontFamily: FONT, fontSize: '12px', background: 'white', color: INK },
    x: axisOptions(figure.x, x, xNames, size.rotate ? -35 : 0, table, y !== 'category', size.panelWidth),
    y: axisOptions(figure.y, y, yNames, 0, table),
    ...(panel.faceted
      ? { fx: { axis: null, padding: 0.08 }, fy: { axis: null, paddingInner: size.rowGap, paddingOuter: 0 } }
      : {}),
    color: heat?.ramp.scale ?? { type: 'identity' },
    symbol: { type: 'identity' },
    marks: [
      ...background(),
      ...figure.marks.flatMap((mark) => plotMarks(figure, mark, table, panel)),
      ...(panel.faceted ? [facetLabels(facets, panel, size.panelWidth)] : []),
    ],
  } as unknown as Plot.PlotOptions) as PlotElement
  return compose(
    plot,
    figure.title,
    header(
      figure.title,
      [...shortNames(panel.series, MAX_NAME).values()],
      [
        ...referencesOf(figure, table),
        ...(data.some(({ mark, datum }) => mark.kind === 'interval' && datum.few) ? [OF_FEW] : []),
      ],
      heat,
      size.width,
    ),
    size,
    cutsOf(plot, panel.faceted, size),
  )
}

const referencesOf = (figure: Figure, table: Table): readonly Reference[] =>
  figure.marks
    .filter(({ kind }) => kind === 'reference')
    .map((mark) => ({
      label: plainText(table.columns.find(({ key }) => key === (mark.x ?? mark.y))?.label ?? '', MAX_NAME),
      dash: dashOf(figure, mark),
      stroke: REFERENCE,
    }))

const OF_FEW: Reference = { label: `interval over fewer than ${FEW_GROUPS} groups`, dash: FEW_DASH, stroke: INK }

/** Panels per row: about a square, at most three, fewer where names need the room. */
function columnsOf(facets: readonly string[], sizeFor: (columns: number) => Size, levels: number): number {
  const square = Math.max(1, Math.min(3, Math.ceil(Math.sqrt(facets.length))))
  const hasRoom = (columns: number): boolean => {
    const { panelWidth, rotate } = sizeFor(columns)
    return !rotate || panelWidth / levels >= SLANTED
  }
  const named = square === 3 && facets.some((name) => name.length > charactersIn(sizeFor(3).panelWidth)) ? 2 : square
  return [named, 2, 1].find((columns) => columns <= named && hasRoom(columns)) ?? 1
}

/** Smallest distance of slanted names, pixels. */
const SLANTED = 16

/** Logarithmic axes with at most this many short values have their ticks there: 1, 2, 3 samples, not 1.2. */
const MAX_TICKS = 12
const MAX_TICK_LENGTH = 7

/** Characters of a name on an axis or in a legend. */
const MAX_NAME = 60

const onCells = (kind: string): boolean => kind === 'cell' || kind === 'text'

const isNumber = (level: string): boolean => level !== '' && Number.isFinite(Number(level))

/** Numeric levels ascending, then names in the order of the rows. */
function inReadingOrder(levels: readonly string[]): readonly string[] {
  const numbers = levels.filter(isNumber).sort((a, b) => Number(a) - Number(b))
  return [...numbers, ...levels.filter((level) => !isNumber(level))]
}

/** Two axes with the same levels (a confusion matrix) get the same order. */
const inOrderOf = (order: readonly string[], levels: readonly string[]): readonly string[] =>
  levels.every((level) => order.includes(level)) ? order.filter((level) => levels.includes(level)) : levels

function axisOptions(
  axis: Axis,
  kind: AxisKind,
  names: ReadonlyMap<string, string>,
  tickRotate: number,
  table: Table,
  isAcross = false,
  pixels = 0,
) {
  const unit = axis.unit === undefined || axis.unit === 'share' || axis.unit === axis.label ? '' : ` (${axis.unit})`
  const label = `${axis.label}${unit}`
  if (kind === 'category') {
    return {
      label,
      type: 'band',
      domain: [...names.keys()],
      tickFormat: (level: string) =>
        `${isNumber(level) ? trueMinus(level) : (names.get(level) ?? level)}${countBelow(axis, level, table)}`,
      tickRotate,
      padding: 0.1,
      labelArrow: 'none',
      labelAnchor: 'center',
    }
  }
  const values = distinct(table.rows.map((row) => row[axis.key])).filter((at) => typeof at === 'number')
  const few = values.filter((at) => kind !== 'log' || at > 0)
  const short = few.length <= MAX_TICKS && few.every((at) => String(at).length <= MAX_TICK_LENGTH)
  const counts = isAcross && kind === 'linear' && values.length > 0 && values.every(Number.isInteger)
  const column = table.columns.find(({ key }) => key === axis.key)
  const whole = axis.unit ?? column?.unit
  const bounded =
    kind === 'linear' && (whole === 'share' || whole === '%') && inside(table, axis.key, whole === '%' ? 100 : 1)
  return {
    label,
    type: kind,
    grid: true,
    labelArrow: 'none',
    nice: kind === 'linear' && !bounded && !counts,
    ...(kind === 'log' || counts ? { inset: 8 } : {}),
    ...(counts ? { ticks: wholeTicks(values), tickFormat: (at: number) => trueMinus(String(at)) } : {}),
    ...(bounded ? { domain: [0, whole === '%' ? 100 : 1] } : {}),
    // There is no room for `1.0` between two panels.
    ...(bounded ? { tickFormat: '~g' } : {}),
    ...(kind === 'log' ? { tickFormat: '~g', ...(short ? { ticks: few } : {}) } : {}),
    ...(kind === 'log' && short && pixels > 0 ? { base: ONE_DECADE, tickFormat: withRoom(few, pixels) } : {}),
    labelAnchor: 'center',
  }
}

/** D3 leaves out labels late in a decade, such as 64 and 9216: of this base all values are early. */
const ONE_DECADE = 1e9 + 0.5

/** Width of a digit and the distance between two labels, in pixels. */
const DIGIT = 7
const APART = 6

/** Labels of the ticks of a logarithmic axis that have room: the last one, and from the first on those beside one another. */
function withRoom(ticks: readonly number[], pixels: number): (tick: number) => string {
  const sorted = ticks.toSorted((a, b) => a - b)
  const [first, last] = [sorted[0] as number, sorted.at(-1) as number]
  const ends = (tick: number): readonly [number, number] => {
    const at = (pixels * Math.log(tick / first)) / Math.log(last / first)
    const half = (DIGIT * String(tick).length) / 2
    return [at - half, at + half + APART]
  }
  const labelled = new Set([last])
  let before = Number.NEGATIVE_INFINITY
  for (const tick of sorted) {
    const [start, end] = ends(tick)
    if (start < before || end > ends(last)[0]) continue
    labelled.add(tick)
    before = end
  }
  return (tick) => (labelled.has(tick) ? String(tick) : '')
}

/** `n 11`, of models that differ `n 11–12`. */
function countBelow({ key, isBinned }: Axis, level: string, { rows }: Table): string {
  if (isBinned !== true) return ''
  const counts = rows.flatMap(({ n, ...row }) => (row[key] === level && typeof n === 'number' ? [n] : []))
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  return `\nn ${least}${most > least ? `–${most}` : ''}`
}

/** Ticks of counts: each value, or evenly spaced ones of many; never between two whole numbers. */
function wholeTicks(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((a, b) => a - b)
  if (sorted.length <= MAX_TICKS) return sorted
  const [low, high] = [sorted[0] as number, sorted.at(-1) as number]
  const size = 10 ** Math.floor(Math.log10((high - low) / MAX_TICKS))
  const step = Math.max(1, [1, 2, 5, 10].map((k) => k * size).find((k) => (high - low) / k <= MAX_TICKS) ?? size)
  const first = Math.ceil(low / step) * step
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, i) => first + i * step)
}

function inside(table: Table, key: string, top: number): boolean {
  return table.rows.every((row) => {
    const value = row[key]
    const at =
      typeof value === 'number'
        ? [value]
        : typeof value === 'object' && value !== null && 'low' in value
          ? [value['low'], value['high']]
          : []
    return at.every((v) => typeof v === 'number' && v >= 0 && v <= top)
  })
}

const facetLabels = (facets: readonly string[], panel: Panel, room: number): Plot.Markish =>
  Plot.text(
    [...shortNames(facets, charactersIn(room))].map(([facet, name]) => ({ name, ...panel.place(facet) })),
    { fx: 'fx', fy: 'fy', text: 'name', frameAnchor: 'top-left', dy: -15, fontWeight: 'bold' } as Plot.TextOptions,
  )

/** Title and legend above the plot, in one SVG; coordinates rounded to hundredths, so that bytes are reproducible. */
function compose(plot: PlotElement, title: string, head: Header, size: Size, cuts: readonly number[]): string {
  plot.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  plot.setAttribute('y', String(head.height))
  const height = Math.round(head.height + size.height)
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${height}" viewBox="0 0 ${size.width} ${height}" role="img" aria-label="${escapeText(title)}"${cuts.length === 0 ? '' : ` data-cuts="${cuts.map((at) => at + Math.round(head.height)).join(' ')}"`}>`
  const inner = plot.outerHTML.replaceAll(/<[^>]*>/g, (tag) =>
    tag.replaceAll(/-?\d+\.\d{3,}(?:e-?\d+)?/g, (number) => String(Number(Number(number).toFixed(2)))),
  )
  return `${open}<rect width="100%" height="100%" fill="white"/>${head.svg}${inner}</svg>\n`
}
