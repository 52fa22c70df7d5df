import type { Extraction, Parsers } from '../../../core/index.ts'
import { locateReasoning } from '../../../core/reasoning.ts'
import { lastFence } from '../../../libraries/language/fences.ts'
import {
  cut,
  LABEL,
  labelled,
  lastLine,
  linesOf,
  MAX_LINE,
  type Piece,
  statedOn,
  visiblePieces,
} from '../../../libraries/language/lines.ts'
import { isNegatedBefore, unlessNegated } from '../../../libraries/language/negation-context.ts'
import { hasPlainTokens, type Shared, symbolsOf, targetWordsOf } from './grammar.ts'
import { codeOf } from './present.ts'

/** How a response names the end of a string. */
export const END = 'END'
const END_FORMS =
  /(?:<\/?|\[)?\b(?:end[- _]of[- _](?:the[- _])?(?:string|sequence|input)|EOS|EOF)\b[>\]]?|<end>|⊣|(?<=^|[\s,{('"`])\$(?=$|[\s,})'"`])/giu
const SEPARATORS = /[\s,;{}()[\]"'`‘’“”<>*|]+/u
/** Words between the tokens of a list. */
const FILLERS = /^(?:and|or|then|the|tokens?|either)$/iu
/** What can only be meant as a token, whether the grammar has it or not. */
const CODE = /^[tu]\d{1,3}$/u

type Found = Extraction<readonly string[]>
const unparsed = (reason: string): Found => ({ kind: 'unparsed', reason })

/** Unless the text denies it, above its line or around it. */
function unlessDenied(text: string, found: Found): Found {
  if (found.kind === 'unparsed') return found
  const line = text.lastIndexOf('\n', found.span[0] - 1) + 1
  return isNegatedBefore(text, line) ? unparsed('the answer is denied') : unlessNegated(text, found)
}

/**
 * The tokens of a line in codes where some tokens are marks such as `{`: words between blanks, in quotes or not; null where
 * something else stands there. `loose`: tokens may stand without blanks between them.
 */
function markedTokensIn(shared: Shared, text: string, loose: boolean): readonly string[] | null {
  const { tokens } = symbolsOf(shared)
  const longestFirst = [...tokens.keys()].sort((a, b) => b.length - a.length)
  const out: string[] = []
  for (const word of text.split(/\s+/u)) {
    const inner = /^(["'`])(.+)\1$/u.exec(word)?.[2]
    const code = [word, inner ?? word].map((name) => codeOf(shared, name)).find((name) => tokens.has(name))
    if (word === '') continue
    if (code !== undefined) out.push(code)
    else if (word.replaceAll(END_FORMS, END) === END) out.push(END)
    else if (!loose) return null
    else
      for (let rest = word; rest !== ''; ) {
        const token = longestFirst.find((name) => rest.startsWith(name))
        if (token === undefined) return null
        out.push(token)
        rest = rest.slice(token.length)
      }
  }
  return out.length === 0 ? null : out
}

/** The tokens of a line in codes; null where it holds anything else. `loose`: words of a list may stand between. */
function tokensIn(shared: Shared, text: string, loose: boolean): readonly string[] | null {
  if (!hasPlainTokens(shared)) return markedTokensIn(shared, text, loose)
  const { tokens } = symbolsOf(shared)
  const out: string[] = []
  for (const word of text.replaceAll(END_FORMS, ' END ').split(SEPARATORS)) {
    const name = word.replace(/^[.:!?]+|[.:!?]+$/gu, '')
    if (name === '') continue
    const code = name === END ? END : codeOf(shared, name)
    if (code === END || tokens.has(code) || targetWordsOf(shared).has(code) || CODE.test(code)) out.push(code)
    else if (!loose || !FILLERS.test(name)) return null
  }
  return out.length === 0 ? null : out
}

/** A line without its label and frame; marks may be tokens. */
const answerOn = (shared: Shared, line: Piece): Piece =>
  hasPlainTokens(shared) ? statedOn(line) : cut(line, LABEL.exec(line.text)?.[0].length ?? 0)

/** The last code block, or the last line behind its label, is a row of tokens and nothing else. */
export function strictTokens(text: string, shared: Shared): Found {
  if (locateReasoning(text).unclosed) return unparsed('reasoning block never closed')
  const fence = lastFence(text)
  if (fence !== null && !fence.closed) return unparsed('fenced block never closed')
  const last = lastLine(text)
  // A block above the last line is the answer only where that line closes it or says nothing. Where marks are tokens, a line
  // of marks says something.
  const inFence =
    fence !== null &&
    (hasPlainTokens(shared)
      ? last.kind === 'line' && last.line.start >= fence.start && last.line.start <= fence.end
      : /^\s*[`~]{3,}\s*$/u.test(text.slice(fence.end)))
  if (!inFence && last.kind === 'none') return unparsed(last.reason)
  const piece: Piece = inFence
    ? { ...fence, text: text.slice(fence.start, fence.end) }
    : answerOn(shared, (last as { readonly line: Piece }).line)
  if (piece.text.length > MAX_LINE) return unparsed('the answer is too long')
  const found = tokensIn(shared, piece.text, false)
  return found === null
    ? unparsed('the last code block or line is not a row of tokens')
    : unlessDenied(text, { kind: 'extracted', answer: found, rule: 'final-tokens', span: [piece.start, piece.end] })
}

/** What tasks ask for by its name: a label like "Answer:". */
const NAMED =
  /^[\s*_#>-]{0,8}(?:(?:the|final) ){0,2}(?:translation|(?:filled|completed|repaired|corrected|changed|resulting) string)[*_]{0,2} ?(?::|is\b)[*_]{0,2}:?/iu

/**
 * As strict; else the rest of the last line behind an answer label, else the last line, that is a row of tokens with words of
 * a list between them. Only rows that `accepts` accepts.
 */
export function lenientTokens(
  text: string,
  shared: Shared,
  accepts: (tokens: readonly string[]) => boolean = () => true,
): Found {
  const strict = strictTokens(text, shared)
  if ((strict.kind === 'extracted' && accepts(strict.answer)) || locateReasoning(text).unclosed) return strict
  const take = (line: Piece, rule: string): Found | null => {
    const piece = cut(line, NAMED.exec(line.text)?.[0].length ?? 0)
    const found = piece.text.length > MAX_LINE ? null : tokensIn(shared, answerOn(shared, piece).text, true)
    return found === null || !accepts(found)
      ? null
      : unlessDenied(text, { kind: 'extracted', answer: found, rule, span: [piece.start, piece.end] })
  }
  for (const piece of labelled(text)) {
    const found = take(piece, 'labelled-tokens')
    if (found !== null) return found
  }
  for (const piece of visiblePieces(text))
    for (const line of linesOf(piece)) {
      const found = take(line, 'last-tokens')
      if (found !== null) return found
    }
  return strict.kind === 'extracted' ? strict : unparsed('no row of tokens outside reasoning')
}

/** What may stand between the parts of a list. */
const BETWEEN = /^\(?\d{1,2}[.):]|\b(?:and|then|(?:edit|step)(?: \d{1,2})?)\b/giu

/** What the last visible lines list in the form of a pattern (with flag `g`) and nothing else, in their order. */
export function lastMatches(text: string, pattern: RegExp) {
  const matches: RegExpExecArray[] = []
  let span: readonly [number, number] | null = null
  if (locateReasoning(text).unclosed) return null
  for (const line of visiblePieces(text).flatMap((piece) => [...linesOf(piece)])) {
    const stated = line.text.length > MAX_LINE ? line.text : statedOn(line).text.replaceAll(/\s+/gu, ' ')
    if (stated === '') continue
    const found = stated.length > MAX_LINE ? [] : [...stated.matchAll(pattern)]
    if (found.length === 0 || /[\p{L}\p{N}]/u.test(stated.replaceAll(pattern, ' ').trim().replaceAll(BETWEEN, '')))
      break
    matches.unshift(...found)
    span = [line.start, span?.[1] ?? line.end]
  }
  return span === null ? null : { matches, span }
}

/** Parsers of an answer that is a row of tokens. */
export const tokenParsers: Parsers<Shared, unknown, readonly string[]> = {
  strict: (text, { shared }) => strictTokens(text, shared),
  lenient: (text, { shared }) => lenientTokens(text, shared),
}
