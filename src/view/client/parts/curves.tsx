import { useMemo } from 'preact/hooks'
import type { Json } from '../../../core/index.ts'
import { FEW_GROUPS, MAX_SHOWN_WIDTH, MIN_SHOWN_ITEMS } from '../../../libraries/statistics/group-counts.ts'
import type { ShownEstimate } from '../../api/index.ts'
import { axisTop } from './axis-top.ts'
import { Fold } from './fold.tsx'
import { featureName, formatInteger, formatValue, visible } from './format.ts'
import { Grid } from './grid.tsx'
import { colourOf, modelName } from './models.ts'
import { type PlotBrush, type PlotReference, SeriesPlot } from './plot.tsx'

export interface CurveCell {
  readonly model: string
  readonly x: Json
  readonly estimate: ShownEstimate
  readonly groups: number
}

export interface CurvesProps {
  /** Label of the x axis. */
  readonly x: string
  /** Label of the y axis. */
  readonly y: string
  /** Range of the axis. Default: from 0 to the maximum. */
  readonly range?: readonly [number, number]
  readonly words: (value: number) => string
  readonly cells: readonly CurveCell[]
  /** Confidence of the intervals. Default: 95 %. */
  readonly sure?: string
  /** Text of an x value. Default: the value. */
  readonly place?: (x: Json) => string
  readonly references?: readonly PlotReference[]
  /** Allows to select a range of x. */
  readonly brush?: PlotBrush
}

/** One curve a model with the interval of every mark, and the numbers below. Levels with too few items are not drawn. */
export function Curves({
  x,
  y,
  range,
  words,
  cells,
  sure = '95 %',
  place = formatValue,
  references,
  brush,
}: CurvesProps) {
  const top = useMemo(() => (range === undefined ? axisTop(cells.map(({ estimate }) => estimate)) : null), [cells])
  const ends = range ?? (top === null ? undefined : ([0, top] as const))
  const points = useMemo(
    () =>
      cells
        .filter(({ estimate }) => range === undefined || estimate.n >= MIN_SHOWN_ITEMS)
        .map(({ model, x: at, estimate, groups }) => ({
          series: modelName(model),
          colour: colourOf(model),
          x: at,
          value: estimate.value,
          // Without a range the axis shows counts, which are not negative.
          low: range === undefined ? Math.max(0, estimate.low) : estimate.low,
          high: top === null ? estimate.high : Math.min(top, estimate.high),
          beyond: top !== null && estimate.high > top,
          few: groups < FEW_GROUPS,
          wide: range !== undefined && estimate.high - estimate.low > MAX_SHOWN_WIDTH,
          title: `${modelName(model)}, ${x} ${place(at)}: ${estimateOf(estimate, words)}`,
        })),
    [x, y, cells, place, top],
  )
  const items = new Map(cells.map(({ x: at, estimate }) => [JSON.stringify(at), estimate.n]))
  const ticks = useMemo(
    () => (range === undefined ? undefined : (at: Json) => `${place(at)}\nn ${items.get(JSON.stringify(at)) ?? 0}`),
    [cells, place],
  )
  return (
    <>
      <SeriesPlot
        x={featureName(x)}
        y={y}
        {...(ends === undefined ? {} : { range: ends })}
        {...(brush === undefined ? {} : { brush })}
        {...(references === undefined ? {} : { references })}
        {...(ticks === undefined ? {} : { ticks })}
        points={points}
        label={`${y} over ${x}, one mark per model; the numbers are below`}
      />
      <CellTable x={x} y={y} words={words} cells={cells} sure={sure} place={place} />
    </>
  )
}

const estimateOf = ({ value, low, high, n }: ShownEstimate, words: (value: number) => string): string =>
  `${words(value)} [${words(low)}, ${words(high)}], n = ${formatInteger(n)}`

const CellTable = ({
  x,
  y,
  words,
  cells,
  sure,
  place = formatValue,
}: Omit<CurvesProps, 'range' | 'references' | 'brush'>) => (
  <Fold title="Table">
    <Grid
      label="The numbers"
      rows={cells}
      keyOf={(cell) => JSON.stringify([cell.model, cell.x])}
      columns={[
        { head: 'model', cell: ({ model }) => modelName(model) },
        { head: visible(x), cell: (cell) => place(cell.x) },
        { head: `${y} [${sure}], n`, kind: 'number' as const, cell: ({ estimate }) => estimateOf(estimate, words) },
        { head: 'groups', kind: 'number' as const, cell: ({ groups }) => formatInteger(groups) },
      ]}
    />
  </Fold>
)
