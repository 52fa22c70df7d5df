import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { Json } from '../../../core/index.ts'
import { askedIn } from '../../api/index.ts'
import { formatInteger, formatValue, plural, visible } from './format.ts'
import { textLink, useLinks } from './links.tsx'
import { reachedInText, useRoving } from './roving.ts'
import { linkSpans, type TextSpan } from './text-spans.ts'

/** Characters shown at first. */
const FIRST = 6000

interface SpokenProps {
  readonly text: string
  /** Characters of the whole, of which `text` may be the beginning. */
  readonly length: number
  /** The parsed part, in characters of the text. */
  readonly span?: readonly [start: number, end: number] | null
  /** The rule by which it was read. */
  readonly rule?: string
  /** Is it correct? Default: unknown. */
  readonly tint?: 'good' | 'bad' | ''
}

/** A response as plain text, with the parsed part underlined. */
export function Spoken({ text, length, span = null, rule = '', tint = '' }: SpokenProps) {
  const [all, setAll] = useState(false)
  const { list, texts, fromDrawing } = useLinks()
  const { ref: pre, ...keys } = useRoving(reachedInText)
  useLayoutEffect(() => {
    if (fromDrawing && pre.current !== null) intoSight(pre.current)
  }, [texts, fromDrawing])
  const places = useMemo(() => linkSpans(text, list), [text, list])
  const long = text.length > FIRST
  const pieces = all || !long ? [{ at: 0, to: text.length }] : shortened(text.length, span)
  return (
    <div class={`spoken ${tint}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <pre ref={pre as RefObject<HTMLPreElement>} {...keys} dir="auto" tabIndex={0}>
        {pieces.map(({ at, to }, number) => (
          <>
            {number > 0 ? (
              <i class="gap"> … {formatInteger(at - (pieces[number - 1]?.to ?? 0))} characters not shown … </i>
            ) : null}
            <Piece text={text} at={at} to={to} places={places} span={span} rule={rule} />
          </>
        ))}
        {text === '' ? <i class="gap">(empty response)</i> : null}
      </pre>
      {pieces.reduce((sum, { at, to }) => sum + to - at, 0) < text.length ? (
        <button type="button" onClick={() => setAll(true)}>
          Show all {formatInteger(text.length)} characters
        </button>
      ) : null}
      {length > text.length ? (
        <p class="note">
          {formatInteger(length)} characters in all; the view holds the first {formatInteger(text.length)}.
        </p>
      ) : null}
    </div>
  )
}

/** A short text in a line, with its links. */
function LinkedText({ text }: { text: string }) {
  const { list } = useLinks()
  const places = useMemo(() => linkSpans(text, list), [text, list])
  return <Segment text={text} at={0} to={text.length} places={places} />
}

interface Range {
  readonly at: number
  readonly to: number
}

/** Start of a long text with the surroundings of the parsed part, or with its end. */
function shortened(length: number, span: readonly [number, number] | null): readonly Range[] {
  const [start, end] = span ?? [length, length]
  if (start < FIRST) return [{ at: 0, to: FIRST }]
  const head = FIRST / 2
  return [
    { at: 0, to: head },
    { at: Math.max(head, start - FIRST / 2), to: Math.min(length, end + FIRST / 4) },
  ]
}

/** Scrolls the text, and nothing else, to the first place that is set off, where none can be seen. */
function intoSight(text: HTMLElement): void {
  const frame = text.getBoundingClientRect()
  const places = [...text.querySelectorAll('.place.on')].map((place) => place.getBoundingClientRect())
  const [first] = places
  if (first === undefined || places.some(({ top, bottom }) => top >= frame.top && bottom <= frame.bottom)) return
  text.scrollTop += first.top - frame.top - frame.height / 3
}

interface Segment {
  readonly text: string
  readonly at: number
  readonly to: number
  readonly places: readonly TextSpan[]
}

function Piece({
  span,
  rule,
  ...segment
}: Segment & { readonly span: readonly [number, number] | null; readonly rule: string }) {
  const { at, to } = segment
  if (span === null || span[1] <= at || span[0] >= to) return <Segment {...segment} />
  const [start, end] = [Math.max(at, span[0]), Math.min(to, span[1])]
  return (
    <>
      <Segment {...segment} to={start} />
      <mark title={`parsed as the answer by the rule ${rule}`}>
        <Segment {...segment} at={start} to={end} />
      </mark>
      <Segment {...segment} at={end} />
    </>
  )
}

function Segment({ text, at, to, places }: Segment) {
  const links = useLinks()
  const pieces: ComponentChildren[] = []
  let done = at
  for (const place of places) {
    const [start, end] = [Math.max(done, place.start), Math.min(to, place.end)]
    if (start >= end) continue
    pieces.push(visible(text.slice(done, start)))
    const innermost = place.texts.at(-1) ?? ''
    pieces.push(
      <span
        key={start}
        class={place.texts.some((one) => links.texts.has(one)) ? 'place on' : 'place'}
        {...textLink(innermost, links)}
      >
        {visible(text.slice(start, end))}
      </span>,
    )
    done = end
  }
  pieces.push(visible(text.slice(done, to)))
  return <>{pieces}</>
}

/** Lines of what is given that are shown, more where the proof uses more; the whole is in the prompt. */
const LINES = 60
/** Most tokens that are shown as boxes. */
const TOKENS = 80

/** What a prompt asks, large; then what it is about, and what is given, with the lines that the proof uses in bold. */
export function Question({ prompt, truth }: { prompt: string; truth: Json }) {
  const { question, object, options, title, context } = useMemo(() => askedIn(prompt), [prompt])
  const { list } = useLinks()
  const used = useMemo(() => {
    const links = list.filter((link) => link.used === true)
    return context.map((line) => links.length > 0 && linkSpans(line, links).length > 0)
  }, [list, context])
  const bold = used.filter(Boolean).length
  // Of many lines those that the proof uses, and the first of the others.
  const shown = useMemo(() => {
    let room = Math.max(0, LINES - bold)
    return context.flatMap((line, at) => (used[at] === true || room-- > 0 ? [{ line, at }] : []))
  }, [context, used, bold])
  const right = formatValue(truth, 200)
  const tokens = object === null || object.includes('\n') ? [] : object.split(' ')
  const columns = context.every((line) => line.length <= 24) ? 3 : context.every((line) => line.length <= 48) ? 2 : 1
  return (
    <div class="question">
      <p class="asked" dir="auto">
        <LinkedText text={question} />
      </p>
      {object === null || object === '' ? null : tokens.length > 0 && tokens.length <= TOKENS ? (
        <p class="tokens">
          {tokens.map((token, i) => (
            <code key={`${i}`}>{visible(token)}</code>
          ))}
        </p>
      ) : (
        <pre>{visible(object)}</pre>
      )}
      {options.length === 0 ? null : (
        <ul class="options">
          {options.map((option) => (
            <li key={option} class={option === right ? 'right' : ''}>
              {option === right ? <span aria-hidden="true">✓</span> : null} <LinkedText text={option} />
            </li>
          ))}
        </ul>
      )}
      {context.length === 0 ? null : (
        <>
          <p class="note">
            {title === '' ? plural(context.length, 'line') : `${visible(title)}: ${plural(context.length, 'line')}`}
            {bold === 0 || bold === context.length
              ? ''
              : `. The ${formatInteger(bold)} that the proof uses ${bold === 1 ? 'is' : 'are'} in bold`}
            {shown.length < context.length ? `; ${shown.length} are shown` : ''}.
          </p>
          <ol class={`given columns${columns}`}>
            {shown.map(({ line, at }) => (
              <li key={`${at}`} class={used[at] === true ? 'used' : ''}>
                <LinkedText text={line} />
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  )
}
