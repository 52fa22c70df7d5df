import { useEffect, useRef } from 'preact/hooks'
import { FEW_GROUPS } from '../../../libraries/statistics/group-counts.ts'
import type { ByFeature } from '../../api/index.ts'
import { type Bin, binBetween, type FeatureBins, isIn } from '../parts/bins.ts'
import { formatEstimate, formatShare, formatValue, visible } from '../parts/format.ts'
import { modelName } from '../parts/models.ts'
import { Scroll } from '../parts/scroll.tsx'

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
  readonly onChoose: (selected: Selected) => void
  /** Text beside the estimate of a cell. */
  readonly beside: (cell: ByFeature['cells'][number]) => string
  /** The address of the items of one cell. */
  readonly link: (cell: ByFeature['cells'][number]) => string
}

/** One grid per model; a cell shows accuracy and n, and links to its items. A dragged rectangle is selected in all grids. */
export function Heat({ cells, x, y, selected, onChoose, beside, link }: HeatProps) {
  const byModel = [...Map.groupBy(cells, ({ model }) => model)]
  const drawing = useCellDrawing(onChoose)
  return (
    <>
      <p class="note">
        Each cell: accuracy and the number of responses n; point at it for its interval. Cells with fewer than{' '}
        {FEW_GROUPS} groups are hatched.
      </p>
      {byModel.map(([model, own]) => {
        const at = new Map(own.map((cell) => [JSON.stringify([cell.x, cell.y]), cell]))
        return (
          <Scroll key={model} label={`Accuracy by cell, ${modelName(model)}`}>
            <table class="heat" {...drawing}>
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
                        place={`${column} ${row}`}
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

function HeatCell({
  cell,
  place,
  off,
  beside,
  link,
}: {
  readonly cell: ByFeature['cells'][number] | undefined
  readonly place: string
  /** Is something selected, and not this? */
  readonly off: boolean
  readonly beside: HeatProps['beside']
  readonly link: HeatProps['link']
}) {
  if (cell === undefined) return <td data-place={place}>–</td>
  const { value, n } = cell.share
  return (
    <td
      data-place={place}
      class={`${cell.groups < FEW_GROUPS ? 'few' : ''}${off ? ' off' : ''}`}
      style={{ '--share': `${(100 * value).toFixed(0)}%` }}
      title={`${formatEstimate(cell.share)}${beside(cell)}`}
    >
      <a href={link(cell)} draggable={false}>
        {formatShare(value)} <small>n={n}</small>
      </a>
    </td>
  )
}

/** A rectangle of cells is selected by drawing over it with a mouse or pen; a click alone follows the link of its cell. */
function useCellDrawing(onChoose: (selected: Selected) => void) {
  const start = useRef<readonly [number, number] | null>(null)
  const last = useRef<readonly [number, number] | null>(null)
  useEffect(() => {
    // Wherever the button is let go, the drawing has ended.
    const end = (): void => {
      const [a, b] = [start.current, last.current]
      start.current = null
      if (a === null || b === null || (a[0] === b[0] && a[1] === b[1])) return
      onChoose({ x: binBetween(a[0], b[0]), y: binBetween(a[1], b[1]) })
    }
    addEventListener('pointerup', end)
    return () => removeEventListener('pointerup', end)
  }, [onChoose])
  return {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0 || event.pointerType === 'touch') return
      start.current = placeOf(event)
      last.current = start.current
    },
    onPointerOver(event: PointerEvent) {
      if (start.current !== null) last.current = placeOf(event) ?? last.current
    },
  }
}

function placeOf({ target }: Event): readonly [number, number] | null {
  const place = target instanceof Element ? target.closest('[data-place]')?.getAttribute('data-place') : null
  const [column, row] = (place ?? '').split(' ').map(Number)
  return column === undefined || row === undefined || !Number.isInteger(row) ? null : [column, row]
}
