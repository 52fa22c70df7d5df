import { useMemo } from 'preact/hooks'
import type { Json } from '../../../core/index.ts'
import { FEW_GROUPS, MAX_SHOWN_WIDTH, MIN_SHOWN_ITEMS } from '../../../libraries/statistics/group-counts.ts'
import type { ShownEstimate, ShownFigure, ShownTable } from '../../api/index.ts'
import { Fold } from './controls.tsx'
import { axisTop } from './features.ts'
import { featureName, formatInteger, formatValue, intervalWords, visible } from './format.ts'
import { DataTable, Grid } from './grid.tsx'
import { colourOf, modelName } from './names.ts'
import { type PlotBrush, type PlotPoint, type PlotReference, SeriesPlot } from './plot.tsx'
import { DASHES } from './references.tsx'
import { estimateOf } from './tables.ts'

type Row = ShownTable['rows'][number]

/** Points per series from which lines replace marks. */
const DENSE = 10

interface FigureViewProps {
  readonly figure: ShownFigure
  readonly tables: readonly ShownTable[]
}

/** A figure of the report that lays series of estimates over an axis, one picture a panel, with its table below. */
export function FigureView({ figure, tables }: FigureViewProps) {
  const table = tables.find(({ id }) => id === figure.table)
  const panels = useMemo(() => (table === undefined ? [] : panelsOf(figure, table.rows)), [figure, table])
  if (table === undefined) return null
  const axis = ({ label, unit }: ShownFigure['x']): string =>
    unit === undefined || unit === 'share' ? label : `${label}, ${unit}`
  return (
    <section>
      <h3>{visible(figure.title)}</h3>
      <div class="panels">
        {panels.map(({ name, points, references }) => {
          const most = Math.max(
            0,
            ...[...Map.groupBy(points, ({ series }) => series).values()].map((own) => own.length),
          )
          return (
            <figure key={name}>
              {name === '' ? null : <figcaption>{visible(name)}</figcaption>}
              <SeriesPlot
                x={axis(figure.x)}
                y={axis(figure.y)}
                {...(figure.y.unit === 'share' ? { range: [0, 1] as const } : {})}
                points={points}
                references={references}
                dense={most >= DENSE}
                {...(figure.x.scale === 'log' ? { log: 'x' as const } : {})}
                height={300}
                label={`${figure.title}${name === '' ? '' : `, ${name}`}; the numbers are below`}
              />
            </figure>
          )
        })}
      </div>
      <details>
        <summary>Numbers</summary>
        <DataTable table={table} most={1000} />
      </details>
    </section>
  )
}

interface PanelData {
  readonly name: string
  readonly points: readonly PlotPoint[]
  readonly references: readonly PlotReference[]
}

function panelsOf(figure: ShownFigure, rows: readonly Row[]): readonly PanelData[] {
  const { x, y, facet, marks, only } = figure
  const series = marks.find((mark) => mark.series !== undefined)?.series
  const compared = marks.filter(({ kind }) => kind === 'reference')
  const name = (row: Row): string => (facet === undefined ? '' : formatValue(row[facet], 120))
  const drawn = only === undefined ? rows : rows.filter((row) => row[only.column] === only.value)
  return [...Map.groupBy(drawn, name)].map(([panel, own]) => {
    const points = own.flatMap((row): PlotPoint[] => {
      const at = row[x.key]
      const estimate = estimateOf(row[y.key])
      if (at === null || at === undefined || estimate === null) return []
      const whose = series === undefined ? '' : modelName(formatValue(row[series], 80))
      const { value, low, high } = estimate
      return [
        { series: whose, x: at, value, low, high, title: `${whose}, ${formatValue(at)}: ${intervalWords(estimate)}` },
      ]
    })
    const references = compared.map((mark, i) => {
      const along = own.flatMap((row) => {
        const [at, up] = [row[mark.x ?? x.key], row[mark.y ?? y.key]]
        return at === null || at === undefined || typeof up !== 'number' ? [] : [{ x: at, y: up }]
      })
      const once = [...new Map(along.map((one) => [JSON.stringify(one), one])).values()]
      return { dash: i === 0 ? DASHES.chance : DASHES.guess, points: once }
    })
    return { name: panel, points, references }
  })
}

interface CurveCell {
  readonly model: string
  readonly x: Json
  readonly estimate: ShownEstimate
  readonly groups: number
}

interface CurvesProps {
  readonly x: string
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
          title: `${modelName(model)}, ${x} ${place(at)}: ${intervalWords(estimate, words)}`,
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
      <Fold title="Table">
        <Grid
          label="The numbers"
          rows={cells}
          keyOf={(cell) => JSON.stringify([cell.model, cell.x])}
          columns={({ text, numeric }) => [
            text('model', ({ model }) => modelName(model)),
            text(visible(x), (cell) => place(cell.x)),
            numeric(`${y} [${sure}], n`, ({ estimate }) => intervalWords(estimate, words)),
            numeric('groups', ({ groups }) => formatInteger(groups)),
          ]}
        />
      </Fold>
    </>
  )
}
