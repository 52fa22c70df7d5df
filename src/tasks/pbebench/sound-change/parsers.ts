import type { Extraction, Json, Parser } from '../../../core/index.ts'
import { visibleSpans } from '../../../core/reasoning.ts'
import { type Fence, lastFences } from '../../../libraries/language/fences.ts'
import { unlessNegated } from '../../../libraries/language/negation-context.ts'
import { parseLaw, printLaw, type SoundLaw } from '../../../libraries/rewriting/sounds/index.ts'
import type { Answer, Given } from './question.ts'

type LawParser = Parser<Json, Given, Answer>

/** Lines of a block that are read; more of them are no answer. */
const MAX_LINES = 2000

const unparsed = (reason: string) => ({ kind: 'unparsed', reason }) as const

/** What is written before a law: a number, a dash. */
const LEAD =
  /^(?:[-*•·][ \t]+|\(?(?:\d{1,3}|[a-z])[.)][ \t]+|\d{1,3}:[ \t]+|(?:(?:sound )?law|rule|step|change|[lrs](?=\d))[ \t]*\d{0,3}[.:)][ \t]+)/iu
const ARROW = />|[→⟶⟹⇒➔➜➝➞➡↦⇾]|\\(?:to|rightarrow)|<-|←/u
/** A line of a comment alone, and words for no law at all. */
const COMMENT = /^(?:\/\/|#|%|--|;)/u
const NOTHING = /^\(?(?:none|nothing|no (?:sound )?(?:laws?|changes?))\)?\.?$/iu

type Line =
  | { readonly kind: 'laws'; readonly texts: readonly string[]; readonly language?: number }
  | { readonly kind: 'blank' }
  | { readonly kind: 'other'; readonly reason: string; readonly isLaw: boolean }

const other = (line: string, reason: string): Line => ({
  kind: 'other',
  reason: `"${line.length > 80 ? `${line.slice(0, 80)}...` : line}" is not understood: ${reason}`,
  isLaw: ARROW.test(line),
})

/** @param tolerant - numbers, dashes and quotes around a law are ignored. */
function lineOf(raw: string, names: readonly string[], tolerant: boolean): Line {
  const line = raw.trim()
  if (line === '' || /^[-=_*]{3,}$/.test(line)) return { kind: 'blank' }
  if (line.length > 600) return other(line, 'a law has at most 400 characters')
  const heading = line.length < 80 ? names.findIndex((name) => headingOf(name) === headingOf(line)) : -1
  if (heading !== -1) return { kind: 'laws', texts: [], language: heading }
  const bare = tolerant ? line.replace(LEAD, '').replaceAll(/[`"]/gu, '') : line
  if (NOTHING.test(bare)) return { kind: 'laws', texts: [] }
  const one = parseLaw(bare)
  if (one.kind === 'law') return { kind: 'laws', texts: [printLaw(one.law)] }
  if (COMMENT.test(line) && !ARROW.test(line)) return { kind: 'blank' }
  const colon = bare.indexOf(':')
  const before = colon === -1 ? '' : headingOf(bare.slice(0, colon))
  const language = colon === -1 ? -1 : names.findIndex((name) => headingOf(name) === before)
  if (language === -1) return other(line, one.reason)
  const rest = bare.slice(colon + 1).trim()
  if (NOTHING.test(rest)) return { kind: 'laws', texts: [], language }
  const laws = rest.split(/;(?=[^;]*>)(?![^[{]*[\]}])/u).map(parseLaw)
  const wrong = laws.find((law) => law.kind === 'none')
  return wrong?.kind === 'none'
    ? other(line, wrong.reason)
    : { kind: 'laws', texts: laws.flatMap((law) => (law.kind === 'law' ? [printLaw(law.law)] : [])), language }
}

/** A language's name, without surrounding marks. */
const headingOf = (text: string): string =>
  text
    .replace(/^[\s*#_([]*(?:laws? (?:of|for)\s+)?/iu, '')
    .replaceAll(/[*#:_()[\]\s]/gu, '')
    .toLowerCase()

type Block =
  | { readonly kind: 'laws'; readonly laws: readonly (readonly string[])[]; readonly end: number }
  | { readonly kind: 'none'; readonly reason: string }

const none = (reason: string): Block => ({ kind: 'none', reason })

/**
 * The laws of a block by language; without a heading, those of the only language. A line that is not understood leaves the block
 * unparsed: the laws without it would be another answer. In a `text` prose ends the block.
 */
function blockOf(lines: readonly string[], { languages }: Given, where: 'fence' | 'loose-fence' | 'text'): Block {
  if (lines.length > MAX_LINES) return none(`the laws stand among more than ${MAX_LINES} lines`)
  const laws: string[][] = languages.map(() => [])
  let [language, said, end, ended] = [languages.length === 1 ? 0 : -1, 0, 0, false]
  for (const [i, raw] of lines.entries()) {
    const line = lineOf(raw, languages, where !== 'fence')
    if (line.kind === 'blank') continue
    if (line.kind === 'other') {
      if (where !== 'text' || line.isLaw) return none(line.reason)
      ended = true
      continue
    }
    if (ended) return none('laws stand apart, with other text between them')
    language = line.language ?? language
    if (language === -1) return none('a law stands before the name of its language')
    laws[language]?.push(...line.texts)
    said++
    end = i + 1
  }
  return said === 0 ? none('no language and no law is named') : { kind: 'laws', laws, end }
}

const found = (
  { laws }: Extract<Block, { readonly kind: 'laws' }>,
  rule: string,
  start: number,
  end: number,
): Extraction<Answer> => ({ kind: 'extracted', answer: { laws }, rule, span: [start, end] })

/** The last fenced block outside reasoning: names of languages, and under each its laws, one a line, and nothing else. */
function strict(text: string, given: Given): Extraction<Answer> {
  const fence = lastFences(text).at(-1)
  if (fence === undefined) return unparsed('no fenced block')
  if (!fence.closed) return unparsed('the last fenced block is not closed')
  return inFence(text, fence, given, 'fence')
}

function inFence(
  text: string,
  { start, end }: Fence,
  given: Given,
  where: 'fence' | 'loose-fence',
): Extraction<Answer> {
  const block = blockOf(text.slice(start, end).split('\n', MAX_LINES + 1), given, where)
  return block.kind === 'none'
    ? unparsed(block.reason)
    : found(block, where === 'fence' ? 'last-block' : 'block', start, end)
}

/** What strict reads; else the last fenced block that has a law or a language; else the laws that stand in the text. */
function lenient(text: string, given: Given): Extraction<Answer> {
  const asked = strict(text, given)
  if (asked.kind === 'extracted') return asked
  for (const fence of lastFences(text).toReversed()) {
    const lines = text.slice(fence.start, fence.end).split('\n', MAX_LINES + 1)
    if (lines.some((raw) => isAnswer(lineOf(raw, given.languages, true))))
      return inFence(text, fence, given, 'loose-fence')
  }
  return inText(text, given)
}

const isAnswer = (line: Line): boolean => line.kind === 'laws' || (line.kind === 'other' && line.isLaw)

/** Without a block: from the last heading of the first language that has one; of one language, its last run of laws. */
function inText(text: string, given: Given): Extraction<Answer> {
  const [from, to] = visibleSpans(text).findLast((span) => /\S/.test(text.slice(...span))) ?? [0, 0]
  const lines = text.slice(from, to).split('\n')
  const read = lines.slice(-MAX_LINES).map((raw) => lineOf(raw, given.languages, true))
  const skipped = lines.length - read.length
  const first = read.reduce(
    (least, line) => (line.kind === 'laws' ? Math.min(least, line.language ?? least) : least),
    Number.POSITIVE_INFINITY,
  )
  let start = read.findLastIndex((line) => line.kind === 'laws' && line.language === first)
  if (start === -1 && given.languages.length === 1) {
    const last = read.findLastIndex(isAnswer)
    start = last
    while (start > 0 && ['laws', 'blank'].includes((read[start - 1] as Line).kind)) start--
    while (read[start]?.kind === 'blank') start++
  }
  if (start === -1) return unparsed('no law is stated outside reasoning')
  const block = blockOf(lines.slice(skipped + start), given, 'text')
  if (block.kind === 'none') return unparsed(block.reason)
  const before = lines.slice(0, skipped + start).reduce((sum, line) => sum + line.length + 1, from)
  const length = lines.slice(skipped + start, skipped + start + block.end).join('\n').length
  return found(block, 'lines', before, before + length)
}

export const parsers = {
  strict: ((text, { given }) => unlessNegated(text, strict(text, given))) satisfies LawParser,
  lenient: ((text, { given }) => unlessNegated(text, lenient(text, given))) satisfies LawParser,
}

/** The laws of an answer that are run: those that read as they are written, as far as the limit goes. */
export const readLaws = (texts: readonly string[], most: number): readonly SoundLaw[] =>
  texts.slice(0, most).flatMap((text) => {
    const read = parseLaw(text)
    return read.kind === 'law' && printLaw(read.law) === text ? [read.law] : []
  })
