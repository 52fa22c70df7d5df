import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useLinks } from './links.tsx'
import { type Place, placesOf } from './places.ts'
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
  const { list, texts, fromDrawing } = useLinks()
  const said = useRef<HTMLPreElement>(null)
  useLayoutEffect(() => {
    if (fromDrawing && said.current !== null) intoSight(said.current)
  }, [texts, fromDrawing])
  const places = useMemo(() => placesOf(text, list), [text, list])
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
      <pre ref={said} dir="auto" tabIndex={0}>
        {pieces.map(({ at, to }, number) => (
          <>
            {number > 0 ? <i class="gap"> … {whole(at - (pieces[0]?.to ?? 0))} characters not shown … </i> : null}
            <Piece text={text} at={at} to={to} places={places} span={span} rule={rule} />
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

/** Scrolls the text, and nothing else, to the first place that is set off, where none can be seen. */
function intoSight(text: HTMLElement): void {
  const frame = text.getBoundingClientRect()
  const places = [...text.querySelectorAll('.place.on')].map((place) => place.getBoundingClientRect())
  const [first] = places
  if (first === undefined || places.some(({ top, bottom }) => top >= frame.top && bottom <= frame.bottom)) return
  text.scrollTop += first.top - frame.top - frame.height / 3
}

interface Stretch {
  readonly text: string
  readonly at: number
  readonly to: number
  readonly places: readonly Place[]
}

function Piece({
  span,
  rule,
  ...stretch
}: Stretch & { readonly span: readonly [number, number] | null; readonly rule: string }) {
  const { at, to } = stretch
  if (span === null || span[1] <= at || span[0] >= to) return <Stretch {...stretch} />
  const [start, end] = [Math.max(at, span[0]), Math.min(to, span[1])]
  return (
    <>
      <Stretch {...stretch} to={start} />
      <mark title={`read as the answer by the rule ${rule}`}>
        <Stretch {...stretch} at={start} to={end} />
      </mark>
      <Stretch {...stretch} at={end} />
    </>
  )
}

/** A part of the text, with the places that drawings link to. */
function Stretch({ text, at, to, places }: Stretch) {
  const { texts, point } = useLinks()
  const pieces: ComponentChildren[] = []
  let done = at
  for (const place of places) {
    const [start, end] = [Math.max(done, place.start), Math.min(to, place.end)]
    if (start >= end) continue
    pieces.push(visible(text.slice(done, start)))
    const innermost = place.texts.at(-1) ?? ''
    pieces.push(
      // biome-ignore lint/a11y/noStaticElementInteractions: pointing only sets off what is written and drawn anyway
      <span
        key={start}
        class={place.texts.some((one) => texts.has(one)) ? 'place on' : 'place'}
        onMouseEnter={() => point({ kind: 'text', text: innermost })}
        onMouseLeave={() => point(null)}
      >
        {visible(text.slice(start, end))}
      </span>,
    )
    done = end
  }
  pieces.push(visible(text.slice(done, to)))
  return <>{pieces}</>
}
