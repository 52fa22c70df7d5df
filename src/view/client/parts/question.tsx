import { useMemo } from 'preact/hooks'
import type { Json } from '../../../core/index.ts'
import { askedIn } from '../../api/index.ts'
import { formatInteger, formatValue, plural, visible } from './format.ts'
import { useLinks } from './links.tsx'
import { LinkedText } from './text.tsx'
import { linkSpans } from './text-spans.ts'

/** Most lines of what is given that are shown; the whole is in the prompt. */
const LINES = 60
/** Most tokens that are shown as boxes. */
const TOKENS = 80

/** What a prompt asks, large; then what it is about, and what is given, with the lines that the proof uses in bold. */
export function Question({ prompt, truth }: { readonly prompt: string; readonly truth: Json }) {
  const { question, object, options, title, context } = useMemo(() => askedIn(prompt), [prompt])
  const { list } = useLinks()
  const used = useMemo(() => {
    const links = list.filter((link) => link.used === true)
    return context.map((line) => links.length > 0 && linkSpans(line, links).length > 0)
  }, [list, context])
  const bold = used.filter(Boolean).length
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
            {context.length > LINES ? `; the first ${LINES} are shown` : ''}.
          </p>
          <ol class={`given columns${columns}`}>
            {context.slice(0, LINES).map((line, i) => (
              <li key={`${i}`} class={used[i] === true ? 'used' : ''}>
                <LinkedText text={line} />
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  )
}
