import type { ScaleOptions } from '@observablehq/plot'
import { useEffect, useRef } from 'preact/hooks'
import type { Json } from '../../../core/index.ts'
import { Drawn } from '../drawing/drawn.tsx'
import type { Drawing } from '../drawing/library.ts'
import { brushOver } from './brush.ts'
import type { Bin, FeatureBins } from './features.ts'
import { formatValue } from './format.ts'

/** Colours and shapes of series, as of models; shapes alone distinguish them. */
const COLOURS = ['var(--line3)', 'var(--m1)', 'var(--m2)', 'var(--m3)', 'var(--m4)']
const SHAPES = [undefined, 'circle', 'diamond', 'square', 'triangle'] as const
/** Those of series without a colour. */
const OTHERS = ['star', 'cross', 'wye', 'plus', 'times'] as const

export interface PlotPoint {
  readonly series: string
  /** As of `colourOf`. Default: by its place. */
  readonly colour?: number
  readonly x: Json
  readonly value: number
  readonly low: number
  readonly high: number
  /** Does its interval rest on few groups? Then it is drawn broken. */
  readonly few?: boolean
  /** True for a wide interval: it is faint. */
  readonly wide?: boolean
  /** Does its interval extend beyond the upper end of the axis? Then it ends there in an arrow. */
  readonly beyond?: boolean
  readonly title: string
}

/** The selected range of the x axis, changed by dragging over the figure. */
export interface PlotBrush {
  readonly along: FeatureBins
  readonly selected: Bin | null
  readonly onChoose: (bin: Bin | null) => void
}

/** A dashed line with its dash pattern. */
export interface PlotReference {
  readonly dash: string
  readonly points: readonly { readonly x: Json; readonly y: number }[]
}

export interface SeriesPlotProps {
  readonly x: string
  readonly y: string
  /** Range of the y axis. Default: from 0 to the maximum. */
  readonly range?: readonly [number, number]
  readonly points: readonly PlotPoint[]
  readonly references?: readonly PlotReference[]
  /** True for many points per series: lines replace marks. */
  readonly dense?: boolean
  /** Has this axis a logarithmic scale? */
  readonly log?: 'x' | 'y'
  readonly ticks?: (x: Json) => string
  readonly height?: number
  readonly brush?: PlotBrush
  readonly label: string
}

const LOG = { type: 'log', tickFormat: '~s', ticks: 5 } as const
/** Pixels between marks at the same x. */
const APART = 5
const HEIGHT = 360
/** A short level line at one x. */
const LEVEL = {
  draw(context: CanvasPath, size: number) {
    const half = Math.sqrt(size / Math.PI)
    context.moveTo(-half, 0)
    context.lineTo(half, 0)
  },
}
const NONE: readonly PlotReference[] = []
/** Pixels down to the name of the axis across: further, and what hangs below its line is cut off. */
const LABEL = 36

export const SeriesPlot = (props: SeriesPlotProps) => (
  <Drawn height={props.height ?? HEIGHT}>{({ plot }) => <Series plot={plot} {...props} />}</Drawn>
)

function Series({
  plot: Plot,
  x,
  y,
  range,
  points,
  references = NONE,
  dense = false,
  log,
  ticks,
  height = HEIGHT,
  brush,
  label,
}: SeriesPlotProps & { readonly plot: Drawing['plot'] }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const numeric = [...points, ...references.flatMap((one) => one.points)].every((point) => numberAt(point.x) !== null)
    const place = (value: Json): number | string => (numeric ? (numberAt(value) ?? 0) : formatValue(value))
    const data = points.map((point) => ({ ...point, x: place(point.x) }))
    const names = [...new Set(data.map(({ series }) => series))]
    const places = names.map((name, i) => data.find(({ series }) => series === name)?.colour ?? i + 1)
    // Through the scale whatever it is called: a model named "gold" would be painted gold.
    const ofSeries = { value: 'series', scale: 'color' } as const
    // Side by side, so that no interval hides another.
    const aside = ((names.length - 1) / 2) * APART
    const categories = [...new Set(points.map((point) => formatValue(point.x)))]
    const plot = Plot.plot({
      width: Math.min(900, box.current?.clientWidth ?? 900),
      height,
      marginLeft: 56,
      marginRight: 40,
      // Room between the name of the axis and a mark at its top.
      marginTop: 30,
      // The label of the axis is below its numbers.
      marginBottom: ticks === undefined ? 42 : 56,
      style: { background: 'transparent', fontSize: '12px' },
      x: numeric
        ? {
            label: x,
            labelOffset: ticks === undefined ? LABEL : LABEL + 14,
            inset: dense ? 0 : Math.max(20, aside + 4),
            ...(log === 'x' ? LOG : ticksOf(data)),
            ...tickWords(ticks, data),
          }
        : {
            type: 'point',
            label: x,
            labelOffset: ticks === undefined ? LABEL : LABEL + 14,
            domain: inOrder(categories),
            ...tickWords(ticks, points),
          },
      y: {
        ...(log === 'y' ? LOG : range === undefined ? { zero: true } : { domain: [...range] }),
        ...(ticks === undefined
          ? {}
          : { ticks: [0, 0.25, 0.5, 0.75, 1], tickFormat: (share: number) => String(100 * share) }),
        label: y,
        grid: true,
      },
      color: { domain: names, range: places.map((place) => COLOURS[place] ?? COLOURS[0]) },
      symbol: {
        domain: names,
        range: places.map((place, i) => SHAPES[place] ?? OTHERS[i % OTHERS.length]),
        legend: true,
      },
      marks: [
        ...references.map(({ dash, points: along }) => {
          const line = { x: 'x', y: 'y', stroke: 'currentColor', strokeOpacity: 0.7, strokeDasharray: dash }
          const laid = along.map((one) => ({ x: place(one.x), y: one.y }))
          // No line between categories, or for a single point.
          return numeric && laid.length > 1
            ? Plot.line(laid, { ...line, sort: 'x' })
            : Plot.dot(laid, { ...line, symbol: LEVEL, r: 14 })
        }),
        ...names.flatMap((name, number) => {
          const mine = data.filter(({ series }) => series === name)
          const dx = dense ? 0 : number * APART - aside
          return [
            ...(dense
              ? [Plot.areaY(mine, { x: 'x', y1: 'low', y2: 'high', fill: ofSeries, fillOpacity: 0.12 })]
              : [true, false].map((few) =>
                  Plot.ruleX(
                    mine.filter((point) => (point.few ?? false) === few),
                    {
                      x: 'x',
                      y1: 'low',
                      y2: 'high',
                      stroke: ofSeries,
                      strokeWidth: 1.5,
                      strokeOpacity: ({ wide }: PlotPoint) => (wide === true ? 0.22 : 0.7),
                      ...(few ? { strokeDasharray: '3 2' } : {}),
                      dx,
                    },
                  ),
                )),
            Plot.dot(
              mine.filter(({ beyond }) => beyond === true),
              { x: 'x', y: 'high', stroke: ofSeries, fill: ofSeries, symbol: 'triangle', r: 2.5, dx },
            ),
            ...(numeric
              ? [
                  Plot.line(mine, {
                    x: 'x',
                    y: 'value',
                    stroke: ofSeries,
                    sort: 'x',
                    strokeOpacity: dense ? 0.9 : 0.5,
                    dx,
                  }),
                ]
              : []),
            Plot.dot(mine, {
              x: 'x',
              y: 'value',
              stroke: ofSeries,
              fill: ofSeries,
              symbol: 'series',
              title: 'title',
              dx,
              ...(dense ? { r: 2.5 } : {}),
            }),
          ]
        }),
      ],
    })
    // Plot labels its layers for debugging; for screen readers the figure is one, with its numbers below.
    for (const layer of plot.querySelectorAll('g[aria-label]')) layer.removeAttribute('aria-label')
    const picture = plot instanceof SVGSVGElement ? plot : [...plot.querySelectorAll('svg')].at(-1)
    picture?.setAttribute('role', 'img')
    picture?.setAttribute('aria-label', label)
    box.current?.replaceChildren(plot)
    const scale = plot.scale('x')
    if (brush === undefined || scale === undefined || !(picture instanceof SVGSVGElement)) return
    brushOver(
      picture,
      brush.along.levels.map((level) => scale.apply(place(level))),
      brush.onChoose,
    ).show(brush.selected)
  }, [x, y, points, references, brush])
  return <div ref={box} class="plot" />
}

/** Every level with its text, while they have room. */
function tickWords(words: SeriesPlotProps['ticks'], data: readonly { readonly x: Json }[]): ScaleOptions {
  const levels = [...new Map(data.map(({ x }) => [JSON.stringify(x), x])).values()]
  if (words === undefined || levels.length > 14) return {}
  const known = new Map(levels.map((level) => [formatValue(level), level]))
  const numbers = levels.flatMap((level) => (typeof level === 'number' ? [level] : []))
  return {
    ...(numbers.length === levels.length ? { ticks: numbers } : {}),
    tickFormat: (at: unknown) => words(known.get(formatValue(at as Json)) ?? (at as Json)),
  }
}

/** Few integers are the ticks themselves. */
function ticksOf(data: readonly { readonly x: number | string }[]): ScaleOptions {
  const levels = [...new Set(data.map(({ x }) => Number(x)))]
  return levels.length <= 12 && levels.every(Number.isInteger) ? { ticks: levels, tickFormat: 'd' } : {}
}

const numberAt = (value: Json): number | null => {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : null
}

/** Levels as text, numbers among them in their order. */
export const inOrder = (values: readonly Json[]): readonly string[] => {
  const found = [...new Set(values.map((value) => formatValue(value)))]
  return found.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
}
