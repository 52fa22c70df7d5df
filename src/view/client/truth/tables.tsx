import { Scroll } from '../parts/controls.tsx'
import { rounded, visible } from '../parts/format.ts'
import { asButton, usePartLinks } from '../parts/links.tsx'
import type { DrawingOf } from './kinds.ts'

/** Tokens in a row, with one line a level above them; each bar is a constituent. Below them what the language itself loses on each. */
export function Strip({ drawing: { cells, rows, scored } }: { drawing: DrawingOf<'strip'> }) {
  const link = usePartLinks()
  return (
    <Scroll label="Tokens and constituents">
      <table class="strip">
        <tbody>
          {rows.map(({ label, spans }, level) => (
            <tr key={`${level} ${label}`}>
              <th scope="row">{visible(label)}</th>
              {runs(spans, cells.length).map(({ start, end, label: name }) => {
                if (name === null) return <td key={`${start} ${end}`} colSpan={end - start} class="free" />
                const says = `${visible(label)}: ${visible(name)} over ${cells.slice(start, end).map(visible).join(' ')}`
                const linked = link(`span/${level}/${start}`, says)
                return (
                  <td
                    key={`${start} ${end}`}
                    colSpan={end - start}
                    class={`span level${level % 6}${linked.on ? ' linked' : ''}`}
                    onMouseEnter={linked.props.onMouseEnter}
                    onMouseLeave={linked.props.onMouseLeave}
                  >
                    <span {...asButton(linked)}>{visible(name)}</span>
                  </td>
                )
              })}
            </tr>
          ))}
          <tr>
            <th scope="row">token</th>
            {cells.map((cell, i) => {
              const floor = scored?.floor[i]
              const costs =
                floor === undefined
                  ? ''
                  : floor === null
                    ? ': no string of the language continues so'
                    : `: at least ${floor.toFixed(3)} nats`
              const linked = link(`cell/${i}`, `token ${i + 1}, ${visible(cell)}${costs}`)
              return (
                <td
                  key={`${i} ${cell}`}
                  class={`token${floor === null ? ' outside' : ''}${linked.on ? ' linked' : ''}`}
                >
                  <span {...asButton(linked)}>{visible(cell)}</span>
                </td>
              )
            })}
          </tr>
          {scored === undefined ? null : (
            <tr>
              <th scope="row">floor, nats</th>
              {cells.map((cell, i) => (
                <td key={`${i} ${cell}`} class="floor">
                  {scored.floor[i] === null || scored.floor[i] === undefined ? '∞' : rounded(scored.floor[i], 1)}
                </td>
              ))}
            </tr>
          )}
        </tbody>
      </table>
    </Scroll>
  )
}

interface Run {
  readonly start: number
  readonly end: number
  readonly label: string | null
}

/** The spans of a level and the gaps between them, without overlaps. */
function runs(spans: DrawingOf<'strip'>['rows'][number]['spans'], length: number): readonly Run[] {
  const out: Run[] = []
  let at = 0
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    if (span.start < at || span.end > length || span.end <= span.start) continue
    if (span.start > at) out.push({ start: at, end: span.start, label: null })
    out.push(span)
    at = span.end
  }
  if (at < length) out.push({ start: at, end: length, label: null })
  return out
}

/** Objects with their properties; decisive cells are marked. */
export function Table({ drawing: { columns, rows, marked } }: { drawing: DrawingOf<'table'> }) {
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
