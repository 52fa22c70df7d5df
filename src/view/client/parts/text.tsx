import { useState } from 'preact/hooks'
import { visible, whole } from './words.ts'

/** Characters that are shown before somebody asks for more. */
const FIRST = 6000

export interface SpokenProps {
  readonly text: string
  /** Characters of the whole, of which `text` may be the beginning. */
  readonly length: number
  /** What was read as the answer, in characters of the text. */
  readonly span?: readonly [start: number, end: number] | null
  /** The rule by which it was read. */
  readonly rule?: string
}

/** What a model said: text and nothing else, the answer that was read from it underlined. */
export function Spoken({ text, length, span = null, rule = '' }: SpokenProps) {
  const [all, setAll] = useState(false)
  const long = text.length > FIRST
  const [start, end] = span ?? [text.length, text.length]
  // The answer stands at the end as a rule: the beginning and its surroundings are shown.
  const head = all || !long ? text.length : span !== null && start > FIRST ? FIRST / 2 : FIRST
  const from = Math.max(head, span === null ? text.length : start - FIRST / 2)
  const pieces: { readonly at: number; readonly to: number }[] =
    all || !long || from >= text.length || span === null || start < head
      ? [{ at: 0, to: head }]
      : [
          { at: 0, to: head },
          { at: from, to: Math.min(text.length, end + FIRST / 4) },
        ]
  const last = pieces.at(-1)?.to ?? 0
  return (
    <div class="spoken">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <pre dir="auto" tabIndex={0}>
        {pieces.map(({ at, to }, number) => (
          <>
            {number > 0 ? <i class="gap"> … {whole(at - (pieces[0]?.to ?? 0))} characters not shown … </i> : null}
            <Piece text={text} at={at} to={to} span={span} rule={rule} />
          </>
        ))}
        {text === '' ? <i class="gap">(nothing was said)</i> : null}
      </pre>
      {last < text.length ? (
        <button type="button" onClick={() => setAll(true)}>
          Show all {whole(text.length)} characters
        </button>
      ) : null}
      {length > text.length ? (
        <p class="note">
          {whole(length)} characters in all; the view holds the first {whole(text.length)}.
        </p>
      ) : null}
    </div>
  )
}

function Piece({
  text,
  at,
  to,
  span,
  rule,
}: {
  readonly text: string
  readonly at: number
  readonly to: number
  readonly span: readonly [number, number] | null
  readonly rule: string
}) {
  if (span === null || span[1] <= at || span[0] >= to) return <>{visible(text.slice(at, to))}</>
  const [start, end] = [Math.max(at, span[0]), Math.min(to, span[1])]
  return (
    <>
      {visible(text.slice(at, start))}
      <mark title={`read as the answer by the rule ${rule}`}>{visible(text.slice(start, end))}</mark>
      {visible(text.slice(end, to))}
    </>
  )
}
