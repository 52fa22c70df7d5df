import * as Plot from '@observablehq/plot'
import { useEffect, useRef } from 'preact/hooks'
import type { Json } from '../../../core/index.ts'
import type { ShownEstimate } from '../../api/index.ts'
import { Scroll } from './scroll.tsx'
import { modelName, shown, visible, whole } from './words.ts'

/** Shapes and colours of models: one can be told from another without colour. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#888888']

export interface CurveCell {
  readonly model: string
  readonly x: Json
  readonly estimate: ShownEstimate
  readonly groups: number
}

export interface CurvesProps {
  /** What lies across. */
  readonly x: string
  /** What lies up, in words. */
  readonly y: string
  /** Ends of the axis; left out: from 0 to what is needed. */
  readonly range?: readonly [number, number]
  readonly words: (value: number) => string
  readonly cells: readonly CurveCell[]
}

/** One curve a model with the interval of every mark, and the numbers below. */
export function Curves({ x, y, range, words, cells }: CurvesProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const numeric = cells.every((cell) => numberAt(cell.x) !== null)
    const data = cells.map((cell) => ({
      model: modelName(cell.model),
      x: numeric ? numberAt(cell.x) : shown(cell.x),
      value: cell.estimate.value,
      // Without ends of its own the axis counts something, and less than nothing is not drawn.
      low: range === undefined ? Math.max(0, cell.estimate.low) : cell.estimate.low,
      high: cell.estimate.high,
      title: `${modelName(cell.model)}, ${x} ${shown(cell.x)}: ${estimateOf(cell.estimate, words)}`,
    }))
    const models = [...new Set(data.map(({ model }) => model))]
    // Through the scale whatever it is called: a model named "gold" would be painted gold.
    const ofModel = { value: 'model', scale: 'color' } as const
    const plot = Plot.plot({
      width: Math.min(900, box.current?.clientWidth ?? 900),
      height: 360,
      marginLeft: 56,
      marginRight: 40,
      style: { background: 'transparent', fontSize: '12px' },
      x: numeric ? { label: x, inset: 20 } : { type: 'point', label: x, domain: inOrder(cells.map((cell) => cell.x)) },
      y: { ...(range === undefined ? { zero: true } : { domain: range }), label: y, grid: true },
      color: { domain: models, range: COLOURS },
      symbol: { domain: models, legend: true },
      marks: models.flatMap((model, number) => {
        const mine = data.filter((one) => one.model === model)
        // Side by side, so that no interval hides another.
        const dx = (number - (models.length - 1) / 2) * 5
        return [
          Plot.ruleX(mine, {
            x: 'x',
            y1: 'low',
            y2: 'high',
            stroke: ofModel,
            strokeWidth: 1.5,
            strokeOpacity: 0.7,
            dx,
          }),
          ...(numeric
            ? [Plot.line(mine, { x: 'x', y: 'value', stroke: ofModel, sort: 'x', strokeOpacity: 0.5, dx })]
            : []),
          Plot.dot(mine, { x: 'x', y: 'value', stroke: ofModel, fill: ofModel, symbol: 'model', title: 'title', dx }),
        ]
      }),
    })
    // Plot names its layers for debugging; for a reader the picture is one, and its numbers stand below.
    for (const layer of plot.querySelectorAll('g[aria-label]')) layer.removeAttribute('aria-label')
    const picture = plot instanceof SVGSVGElement ? plot : [...plot.querySelectorAll('svg')].at(-1)
    picture?.setAttribute('role', 'img')
    picture?.setAttribute('aria-label', `${y} over ${x}, one mark a model; the numbers stand below`)
    box.current?.replaceChildren(plot)
  }, [x, y, cells])
  return (
    <>
      <div ref={box} class="plot" />
      <CellTable x={x} y={y} words={words} cells={cells} />
    </>
  )
}

const numberAt = (value: Json): number | null => {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : null
}

/** Levels as text, in the order of their numbers where all are numbers. */
export const inOrder = (values: readonly Json[]): readonly string[] => {
  const found = [...new Set(values.map((value) => shown(value)))]
  return found.every((one) => Number.isFinite(Number(one))) ? found.sort((a, b) => Number(a) - Number(b)) : found.sort()
}

const estimateOf = ({ value, low, high, n }: ShownEstimate, words: (value: number) => string): string =>
  `${words(value)} [${words(low)}, ${words(high)}], n = ${whole(n)}`

const CellTable = ({ x, y, words, cells }: Omit<CurvesProps, 'range'>) => (
  <details>
    <summary>The numbers</summary>
    <Scroll label="The numbers">
      <table class="data">
        <thead>
          <tr>
            <th scope="col">model</th>
            <th scope="col">{visible(x)}</th>
            <th scope="col">{y} [95 %], n</th>
            <th scope="col">groups</th>
          </tr>
        </thead>
        <tbody>
          {cells.map((cell) => (
            <tr key={JSON.stringify([cell.model, cell.x])}>
              <td>{modelName(cell.model)}</td>
              <td>{shown(cell.x)}</td>
              <td>{estimateOf(cell.estimate, words)}</td>
              <td>{cell.groups}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  </details>
)
