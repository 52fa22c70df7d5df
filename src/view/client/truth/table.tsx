import { visible } from '../parts/format.ts'
import { asButton, usePartLinks } from '../parts/links.tsx'
import type { DrawingOf } from './kinds.ts'

/** Objects with their properties; decisive cells are marked. */
export function Table({ drawing: { columns, rows, marked } }: { readonly drawing: DrawingOf<'table'> }) {
  const link = usePartLinks()
  const decides = new Set(marked.map(([row, column]) => `${row}/${column}`))
  return (
    <table class="things">
      <thead>
        <tr>
          {columns.map((column, i) => (
            <th key={`${i} ${column}`} scope="col">
              {visible(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => {
          const own = link(`row/${row}`, cells.map(visible).join(', '))
          return (
            <tr key={row} class={own.on ? 'linked' : ''}>
              {cells.map((cell, column) => {
                const on = decides.has(`${row}/${column}`)
                const says = `${visible(cells[0] ?? '')}, ${visible(columns[column] ?? '')}: ${visible(cell)}${on ? ', decides' : ''}`
                const linked = column === 0 ? own : link(`cell/${row}/${column}`, says)
                return (
                  <td
                    key={column}
                    class={`${on ? 'decides' : ''}${linked.on ? ' linked' : ''}`}
                    onMouseEnter={linked.props.onMouseEnter}
                    onMouseLeave={linked.props.onMouseLeave}
                  >
                    <span {...asButton(linked)}>
                      {on ? '✓ ' : ''}
                      {visible(cell)}
                    </span>
                  </td>
                )
              })}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
