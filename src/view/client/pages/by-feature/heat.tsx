import { FEW_GROUPS, MIN_SHOWN_ITEMS } from '../../../../libraries/statistics/group-counts.ts'
import type { ByFeature } from '../../../api/index.ts'
import { Scroll } from '../../parts/controls.tsx'
import { type Bin, type FeatureBins, isIn } from '../../parts/features.ts'
import { formatValue, intervalWords, percent, visible } from '../../parts/format.ts'
import { modelName } from '../../parts/names.ts'

/** A rectangle of cells; null of an axis: all of it. */
export interface Selected {
  readonly x: Bin | null
  readonly y: Bin | null
}

export interface HeatProps {
  readonly cells: ByFeature['cells']
  readonly x: FeatureBins
  readonly y: FeatureBins
  readonly selected: Selected
  readonly beside: (cell: ByFeature['cells'][number]) => string
  readonly link: (cell: ByFeature['cells'][number]) => string
}

/** One grid per model; a cell shows accuracy and n, and links to its items. */
export function Heat({ cells, x, y, selected, beside, link }: HeatProps) {
  const byModel = [...Map.groupBy(cells, ({ model }) => model)]
  return (
    <>
      <p class="note">
        Each cell: % correct and the number of responses n, below {MIN_SHOWN_ITEMS} only n; point at it for its
        interval. Cells with fewer than {FEW_GROUPS} groups are hatched.
      </p>
      {byModel.map(([model, own]) => {
        const at = new Map(own.map((cell) => [JSON.stringify([cell.x, cell.y]), cell]))
        return (
          <Scroll key={model} label={`Accuracy by cell, ${modelName(model)}`}>
            <table class="heat">
              <caption>{modelName(model)}</caption>
              <thead>
                <tr>
                  <th scope="col">
                    {visible(y.name)} ↓ {visible(x.name)} →
                  </th>
                  {x.levels.map((across) => (
                    <th key={JSON.stringify(across)} scope="col">
                      {formatValue(across)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {y.levels.map((down, row) => (
                  <tr key={JSON.stringify(down)}>
                    <th scope="row">{formatValue(down)}</th>
                    {x.levels.map((across, column) => (
                      <HeatCell
                        key={JSON.stringify(across)}
                        cell={at.get(JSON.stringify([across, down]))}
                        off={!isIn(column, selected.x) || !isIn(row, selected.y)}
                        beside={beside}
                        link={link}
                      />
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        )
      })}
    </>
  )
}

interface CellProps extends Pick<HeatProps, 'beside' | 'link'> {
  readonly cell: ByFeature['cells'][number] | undefined
  /** Is something selected, and not this? */
  readonly off: boolean
}

function HeatCell({ cell, off, beside, link }: CellProps) {
  if (cell === undefined) return <td>–</td>
  const { value, n } = cell.share
  return (
    <td
      class={`${cell.groups < FEW_GROUPS ? 'few' : ''}${off ? ' off' : ''}`}
      style={{ '--share': `${(100 * value).toFixed(0)}%` }}
      title={`${intervalWords(cell.share)}${beside(cell)}`}
    >
      <a href={link(cell)}>
        {n < MIN_SHOWN_ITEMS ? null : percent(value)} <small>n={n}</small>
      </a>
    </td>
  )
}
