import type { Figure, Table } from '../src/core/index.ts'
import { figureSvg } from '../src/report/index.ts'
import type { Curve } from './table.ts'

/** A curve as SVG. */
export function curveSvg({ file, title, x, y, points }: Curve): Promise<string> {
  const table: Table = {
    id: file,
    title,
    columns: [
      { key: 'series', label: '', kind: 'text' },
      { key: 'x', label: x, kind: 'number' },
      { key: 'y', label: y, kind: 'number' },
    ],
    rows: points.map((point) => ({ ...point })),
  }
  const layer = { x: 'x', y: 'y', series: 'series' } as const
  const figure: Figure = {
    id: file,
    title,
    table: file,
    x: { key: 'x', label: x, scale: 'log' },
    y: { key: 'y', label: y, scale: 'log' },
    marks: [
      { kind: 'line', ...layer },
      { kind: 'point', ...layer },
    ],
  }
  return figureSvg(figure, [table])
}
