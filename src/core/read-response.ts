import { normalizeText } from './normalized.ts'
import { locateReasoning, visibleSpans } from './reasoning.ts'
import type { Extraction, Parser, Parsers } from './task.ts'

/**
 * What every task's strict and lenient parser see: text in one spelling ({@link normalizeText}); nothing of a response that was
 * truncated in a thought; only the answer tag where there is one. Spans point into the response as it is stored. Other parsers
 * repeat published code and see the response itself.
 */
export const readingParsers = <S, G, A>({ strict, lenient, ...published }: Parsers<S, G, A>): Parsers<S, G, A> => ({
  strict: reading(strict),
  lenient: reading(lenient),
  ...published,
})

function reading<S, G, A>(parser: Parser<S, G, A>): Parser<S, G, A> {
  return (response, question): Extraction<A> => {
    const { text, original } = normalizeText(response)
    const reasoning = locateReasoning(text)
    if (reasoning.unclosed) return { kind: 'unparsed', reason: 'reasoning block never closed' }
    const [from, to] = lastAnswerTag(text, visibleSpans(text, reasoning)) ?? [0, text.length]
    const found = parser(text.slice(from, to), question)
    return found.kind === 'unparsed'
      ? found
      : { ...found, span: original([from + found.span[0], from + found.span[1]]) }
  }
}

const TAG = /<(\/?)answer>/gi

/** The content of the last `<answer>` tag that has any; a missing end tag (often a stop sequence) is the end of the text. */
function lastAnswerTag(
  text: string,
  visible: readonly (readonly [number, number])[],
): readonly [start: number, end: number] | null {
  let last: readonly [number, number] | null = null
  for (const [from, to] of visible) {
    const part = text.slice(from, to)
    let open: number | null = null
    const end = (at: number): void => {
      if (open !== null && /[\p{L}\p{N}]/u.test(part.slice(open, at))) last = [from + open, from + at]
      open = null
    }
    for (const { 0: tag, 1: slash, index } of part.matchAll(TAG)) {
      if (part[index - 1] === '`' && part[index + tag.length] === '`') continue
      if (slash === '/') end(index)
      else open = index + tag.length
    }
    if (to === text.length || open !== null) end(part.length)
  }
  return last
}
