import { useMemo } from 'preact/hooks'
import type { ShownFigure, ShownTable } from '../../api/index.ts'
import { DataTable } from './data-table.tsx'
import { formatEstimate, formatValue, visible } from './format.ts'
import { modelName } from './models.ts'
import { type PlotPoint, type PlotReference, SeriesPlot } from './plot.tsx'
import { DASHES } from './references.tsx'
import { estimateOf } from './tables.ts'

type Row = ShownTable['rows'][number]

/** Points per series from which lines replace marks. */
const DENSE = 10

export interface FigureViewProps {
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
                log={figure.x.scale === 'log'}
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
        { series: whose, x: at, value, low, high, title: `${whose}, ${formatValue(at)}: ${formatEstimate(estimate)}` },
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
