import { Scroll } from '../parts/scroll.tsx'
import { visible } from '../parts/words.ts'
import type { DrawingOf } from './kinds.ts'

/** Tokens in a row, with one line a level above them; each bar is a constituent. */
export const Strip = ({ drawing: { cells, rows } }: { readonly drawing: DrawingOf<'strip'> }) => (
  <Scroll label="Tokens and constituents">
    <table class="strip">
      <tbody>
        {rows.map(({ label, spans }, level) => (
          <tr key={`${level} ${label}`}>
            <th scope="row">{visible(label)}</th>
            {runs(spans, cells.length).map(({ start, end, label: name }) => (
              <td
                key={`${start} ${end}`}
                colSpan={end - start}
                class={name === null ? 'free' : `span level${level % 6}`}
              >
                {name === null ? '' : visible(name)}
              </td>
            ))}
          </tr>
        ))}
        <tr>
          <th scope="row">token</th>
          {cells.map((cell, i) => (
            <td key={`${i} ${cell}`} class="token">
              {visible(cell)}
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  </Scroll>
)

interface Run {
  readonly start: number
  readonly end: number
  readonly label: string | null
}

/** The spans of a level with what lies between them; those that overlap one before are left out. */
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
