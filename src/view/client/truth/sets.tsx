import { useState } from 'preact/hooks'
import { Drawn } from '../drawing/drawn.tsx'
import type { Drawing } from '../drawing/library.ts'
import { visible } from '../parts/format.ts'
import { Scroll } from '../parts/scroll.tsx'
import type { DrawingOf } from './kinds.ts'

/** Sets that can be drawn exactly as circles; more are a table of the world's individuals. */
const CIRCLES = 3
const HEIGHT = 170

/** The world that refutes a sentence, or the sentence that nothing refutes. */
export function Sets({ drawing }: { readonly drawing: DrawingOf<'sets'> }) {
  const { caption = '', marked, members, sets } = drawing
  const used = sets.filter((set) => members.some((kind) => kind.includes(set)))
  return (
    <section class={`sets${marked ? ' on' : ''}`}>
      <h3>
        <span aria-hidden="true">{members.length === 0 ? '⊨' : '✗'}</span> {visible(caption)}
      </h3>
      {members.length === 0 ? (
        <p class="note">No world makes the statements true and this false: it follows.</p>
      ) : used.length <= CIRCLES && used.length > 0 ? (
        <Drawn height={HEIGHT}>{({ venn }) => <Circles sets={used} members={members} venn={venn} />}</Drawn>
      ) : (
        <World sets={sets} members={members} />
      )}
    </section>
  )
}

function Circles({
  sets,
  members,
  venn,
}: {
  readonly sets: readonly string[]
  readonly members: DrawingOf<'sets'>['members']
  readonly venn: Drawing['venn']
}) {
  const all = Array.from({ length: 2 ** sets.length - 1 }, (_, i) => sets.filter((__, bit) => ((i + 1) >> bit) & 1))
  const areas = all.map((inside) => ({
    sets: [...inside],
    size: members.filter((kind) => inside.every((set) => kind.includes(set))).length,
  }))
  const circles = venn(areas, { width: 240, height: HEIGHT, padding: 8 })
  return (
    <svg class="drawing euler" width={240} height={HEIGHT} role="img" aria-label={`${sets.join(', ')} as circles`}>
      {circles
        .filter(({ data }) => data.sets.length === 1)
        .map(({ data, circles: [circle] }, number) =>
          circle === undefined ? null : (
            <g key={data.sets[0]} class={`set set${number}`}>
              <circle cx={circle.x} cy={circle.y} r={circle.radius} />
              <text x={circle.x} y={circle.y - circle.radius + 14} text-anchor="middle">
                {visible(data.sets[0] ?? '')}
              </text>
            </g>
          ),
        )}
    </svg>
  )
}

/** Individuals as columns, terms as rows. Columns can be removed to see their effect. */
function World({
  sets,
  members,
}: {
  readonly sets: readonly string[]
  readonly members: DrawingOf<'sets'>['members']
}) {
  const [out, setOut] = useState<ReadonlySet<number>>(new Set())
  const toggle = (i: number): void =>
    setOut((before) => new Set(before.has(i) ? [...before].filter((x) => x !== i) : [...before, i]))
  return (
    <Scroll label="A world">
      <table class="world">
        <thead>
          <tr>
            <td />
            {members.map((kind, i) => (
              <th key={`${i} ${kind.join()}`} scope="col" class={out.has(i) ? 'out' : ''}>
                <button type="button" aria-pressed={!out.has(i)} onClick={() => toggle(i)}>
                  {i + 1}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sets.map((set) => (
            <tr key={set}>
              <th scope="row">{visible(set)}</th>
              {members.map((kind, i) => (
                <td key={`${i} ${kind.join()}`} class={out.has(i) ? 'out' : ''}>
                  {kind.includes(set) ? '●' : '·'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}
