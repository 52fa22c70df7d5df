import { Fold, Scroll } from '../parts/controls.tsx'
import { plural, visible } from '../parts/format.ts'
import { usePartLinks } from '../parts/links.tsx'
import type { DrawingOf } from './kinds.ts'

type Drawing = DrawingOf<'sets'>

/** Conclusions, each with the world in which all premises hold and it is false, or that it follows. */
export function Sets({ drawings }: { drawings: readonly Drawing[] }) {
  const worlds = drawings.filter(({ members }) => members.length > 0)
  const individuals = [...new Set(worlds.map(({ members }) => members.length))].sort((a, b) => a - b).join(' or ')
  return (
    <>
      <Scroll label="Conclusions and the worlds that refute them">
        <table class="wide sets blocks">
          <thead>
            <tr>
              <th scope="col">Conclusion</th>
              <th scope="col">In a world in which all premises hold</th>
              <th scope="col">So it is</th>
            </tr>
          </thead>
          <tbody>
            {drawings.map((drawing, i) => (
              <Conclusion key={`${i}`} drawing={drawing} scope={i} />
            ))}
          </tbody>
        </table>
      </Scroll>
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

function Conclusion({ drawing, scope }: { drawing: Drawing; scope: number }) {
  const { members, marked, caption = '' } = drawing
  const link = usePartLinks()(scope === 0 ? 'drawing' : `drawing/${scope}`, caption)
  const { text, terms } = sentenceOf(drawing)
  const [a, b] = terms
  const numbers = (test: (kind: readonly string[]) => boolean): readonly number[] =>
    members.flatMap((kind, i) => (test(kind) ? [i + 1] : []))
  if (members.length === 0 || a === undefined || b === undefined)
    return (
      <tr class={link.on ? 'linked' : ''}>
        <th scope="row">{marked ? <b>{visible(text)}</b> : visible(text)}</th>
        <td>{members.length === 0 ? 'No world makes the premises true and this false.' : 'see the world in full'}</td>
        <td>{members.length === 0 ? <b class="up">✓ it follows</b> : 'false'}</td>
      </tr>
    )
  const [onlyA, both, onlyB] = [
    numbers((kind) => kind.includes(a) && !kind.includes(b)),
    numbers((kind) => kind.includes(a) && kind.includes(b)),
    numbers((kind) => !kind.includes(a) && kind.includes(b)),
  ]
  return (
    <tr class={link.on ? 'linked' : ''}>
      <th scope="row">{visible(text)}</th>
      <td>
        <span class="fields">
          <Field name={`${a} only`} members={onlyA} />
          <Field name="both" members={both} />
          <Field name={`${b} only`} members={onlyB} />
        </span>
      </td>
      <td>false: {whyFalse(text, visible(a), visible(b), onlyA, both)}</td>
    </tr>
  )
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
