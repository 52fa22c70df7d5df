import { Fold, Scroll } from '../parts/controls.tsx'
import { plural, visible } from '../parts/format.ts'
import { Grid } from '../parts/grid.tsx'
import { usePartLinks } from '../parts/links.tsx'
import type { DrawingOf } from './kinds.ts'

type Drawing = DrawingOf<'sets'>

/** Conclusions, each with the world in which all premises hold and it is false, or that it follows. */
export function Sets({ drawings }: { drawings: readonly Drawing[] }) {
  const worlds = drawings.filter(({ members }) => members.length > 0)
  const link = usePartLinks()
  const individuals = [...new Set(worlds.map(({ members }) => members.length))].sort((a, b) => a - b).join(' or ')
  return (
    <>
      <Grid
        kind="sets"
        label="Conclusions and the worlds that refute them"
        rows={drawings.map((drawing, scope) =>
          concluded(drawing, link(scope === 0 ? 'drawing' : `drawing/${scope}`, '').on),
        )}
        keyOf={(_, i) => `${i}`}
        rowKind={({ on }) => (on ? 'linked' : '')}
        columns={({ rowHead, text }) => [
          rowHead('Conclusion', ({ sentence }) => sentence),
          text('In a world in which all premises hold', ({ world }) => world),
          text('So it is', ({ verdict }) => verdict),
        ]}
      />
      {worlds.length === 0 ? null : (
        <Fold title={plural(worlds.length, 'world in full', 'worlds in full')} note={`${individuals} individuals each`}>
          {worlds.map((drawing, i) => (
            <World key={`${i}`} drawing={drawing} />
          ))}
        </Fold>
      )}
    </>
  )
}

/** The sentence of a drawing, and the two terms that it is about. */
function sentenceOf({ caption = '', sets }: Drawing): { readonly text: string; readonly terms: readonly string[] } {
  const text = caption.replace(/: (?:follows|false in this world)$/u, '')
  const found = sets.flatMap((term) => {
    const at = text.search(
      new RegExp(`(?<![\\p{L}])${term.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&')}(?![\\p{L}])`, 'u'),
    )
    return at < 0 ? [] : [{ term, at }]
  })
  // A term may be part of a longer one.
  const whole = found.filter(
    ({ term, at }) =>
      !found.some((other) => other.term.length > term.length && other.at <= at && at < other.at + other.term.length),
  )
  return { text, terms: whole.sort((x, y) => x.at - y.at).map(({ term }) => term) }
}

/** A conclusion, the world that refutes it, and what it is. @param on - is it pointed at elsewhere? */
function concluded(drawing: Drawing, on: boolean) {
  const { members, marked } = drawing
  const { text, terms } = sentenceOf(drawing)
  const [a, b] = terms
  const numbers = (test: (kind: readonly string[]) => boolean): readonly number[] =>
    members.flatMap((kind, i) => (test(kind) ? [i + 1] : []))
  const sentence = marked && members.length === 0 ? <b>{visible(text)}</b> : visible(text)
  if (members.length === 0)
    return {
      on,
      sentence,
      world: 'No world makes the premises true and this false.',
      verdict: <b class="up">✓ it follows</b>,
    }
  if (a === undefined || b === undefined) return { on, sentence, world: 'see the world in full', verdict: 'false' }
  const onlyA = numbers((kind) => kind.includes(a) && !kind.includes(b))
  const both = numbers((kind) => kind.includes(a) && kind.includes(b))
  const world = (
    <span class="fields">
      <Field name={`${a} only`} members={onlyA} />
      <Field name="both" members={both} />
      <Field name={`${b} only`} members={numbers((kind) => !kind.includes(a) && kind.includes(b))} />
    </span>
  )
  return { on, sentence, world, verdict: `false: ${whyFalse(text, visible(a), visible(b), onlyA, both)}` }
}

const Field = ({ name, members }: { name: string; members: readonly number[] }) => (
  <span>
    <small>{visible(name)}</small>
    {members.length === 0 ? 'none' : members.map((member) => <b key={member}>{member}</b>)}
  </span>
)

function whyFalse(text: string, a: string, b: string, onlyA: readonly number[], both: readonly number[]): string {
  const listed = (all: readonly number[]): string =>
    `${all.slice(0, -1).join(', ')}${all.length > 1 ? ' and ' : ''}${all.at(-1)}`
  const be = (all: readonly number[]): string => (all.length === 1 ? 'is' : 'are')
  if (text.startsWith('All')) return `${listed(onlyA)} ${be(onlyA)} ${a} and not ${b}`
  if (text.startsWith('No')) return `${listed(both)} ${be(both)} both`
  return / not /u.test(text) ? `nothing is ${a} and not ${b}` : 'nothing is both'
}

/** A world: its individuals as columns, terms as rows. */
const World = ({ drawing: { caption = '', sets, members } }: { drawing: Drawing }) => (
  <Scroll label={`A world: ${visible(caption)}`}>
    <table class="world">
      <caption>{visible(caption)}</caption>
      <thead>
        <tr>
          <td />
          {members.map((kind, i) => (
            <th key={`${i} ${kind.join()}`} scope="col">
              {i + 1}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sets.map((set) => (
          <tr key={set}>
            <th scope="row">{visible(set)}</th>
            {members.map((kind, i) => (
              <td key={`${i} ${kind.join()}`}>{kind.includes(set) ? '●' : '·'}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
)
