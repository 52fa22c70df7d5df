import { RE2JS } from 're2js'
import { type Extraction, isObject, type Json, type Question, sortedJson, UsageError } from '../../core/index.ts'
import { normalizeText } from '../../core/normalized.ts'
import { visibleSpans } from '../../core/reasoning.ts'
import type { FieldColumns, Offered } from '../../datasets/index.ts'
import { choiceParser } from '../../libraries/language/choice-parser.ts'
import { lastFence } from '../../libraries/language/fences.ts'
import { parseFinalLine } from '../../libraries/language/final-line.ts'
import {
  firstClause,
  LABEL,
  labelled,
  lastLine,
  lineAbove,
  linesOf,
  MAX_LINE,
  type Piece,
  statedOn,
  unframed,
  visiblePieces,
} from '../../libraries/language/lines.ts'

/** What a model sees of a question, and how its answer is read. */
export type Given = {
  readonly messages: { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[]
  readonly options: { readonly texts: string[]; readonly labels: string[] } | null
  readonly grader: string
  /** A number, or a share such as `1%`; a text, since items hold whole numbers only. */
  readonly tolerance: string
  /** The judge's rubric, where a judge grades. */
  readonly rubric?: string
}

type Asked = Question<null, Given>
type Read = Extraction<string>

/** How answers are asked for, read and compared. */
export interface Grader {
  readonly describe: string
  /** What the prompt says about the form of the answer. */
  readonly instruction: (given: Given) => string
  readonly strict: (text: string, question: Asked) => Read
  readonly lenient: (text: string, question: Asked) => Read
  readonly same: (target: string, prediction: string, given: Given) => boolean
  /** Why a target cannot be used; null: it can. */
  readonly wrong?: (target: string) => string | null
}

const unparsed = (reason: string): Read => ({ kind: 'unparsed', reason })
const at = (answer: string, rule: string, { start, end }: Pick<Piece, 'start' | 'end'>): Read => ({
  kind: 'extracted',
  answer,
  rule,
  span: [start, end],
})
/** What strict reads, else what another rule does. */
export const orElse = (strict: Read, other: () => Read): Read => (strict.kind === 'extracted' ? strict : other())

// ---- Texts

/** Without case, blanks, and what frames an answer: quotes, Markdown, `$`, a full stop. */
const plain = (text: string): string => {
  const { text: one } = normalizeText(text)
  const bare = unframed({ text: one, start: 0, end: one.length }).text
  return (bare === '' ? one : bare).toLowerCase().replaceAll(/\s+/gu, ' ').trim()
}

/** An answer without letters and digits, such as `] >`: after the label, or a last line with more than Markdown. */
function finalSigns(text: string): Read {
  for (const line of visiblePieces(text).flatMap((piece) => [...linesOf(piece)])) {
    const label = LABEL.exec(line.text)?.[0].length ?? 0
    const prediction = line.text.slice(label, MAX_LINE).replaceAll(/^[\s`*_]+|[\s`*_]+$/gu, '')
    if (/[\p{L}\p{N}]/u.test(prediction)) break
    const start = line.start + line.text.indexOf(prediction, label)
    const isMarkdown = label === 0 && /^[-~#]*$/u.test(prediction)
    if (prediction !== '' && !isMarkdown) return at(prediction, 'signs', { start, end: start + prediction.length })
  }
  return unparsed('no visible text')
}

/** The last line where it has a label, or is the only one; signs alone are an answer too. */
const finalText = (text: string): Read => orElse(finalWords(text), () => finalSigns(text))

const finalWords = (text: string): Read =>
  parseFinalLine(
    text,
    (stated, piece) => {
      const start = text.lastIndexOf('\n', Math.max(0, piece.start - 1)) + 1
      const last = lastLine(text)
      const isAlone = last.kind === 'line' && lineAbove(text, last.line) === null
      return stated !== '' && (isAlone || LABEL.test(text.slice(start, piece.end))) ? stated : null
    },
    'the last of several lines has no label such as "Answer:"',
  )

const lastText = (text: string): Read => {
  const last = lastLine(text)
  if (last.kind === 'none') return unparsed(last.reason)
  const stated = statedOn(last.line)
  return stated.text === '' ? unparsed('the last line holds no text') : at(stated.text, 'last-line', stated)
}

const exact: Grader = {
  describe: 'the same text, ignoring case, spaces, quotes and a full stop; or the same number',
  instruction: ({ options }) =>
    `End with a line "Answer: X", where X is ${options === null ? 'the answer alone' : `one of: ${options.texts.join(', ')}`}.`,
  strict: finalText,
  lenient: (text) =>
    orElse(finalText(text), () => {
      for (const piece of labelled(text)) {
        const stated = statedOn(piece)
        if (stated.text !== '') return at(stated.text, 'label', stated)
      }
      return lastText(text)
    }),
  same(target, prediction) {
    if (plain(target) === plain(prediction)) return true
    const [a, b] = [numberOf(target), numberOf(prediction)]
    return a !== null && b !== null && sameNumber(a, b, '0')
  },
}

// ---- Choices

const LETTER = /^(?<label>[a-z]|\d{1,2})(?:$|[).:\]\s])/iu

/** The label that a statement names, alone, before its text, or by its text. */
function labelIn(stated: string, { options }: Given): string | null {
  if (options === null) return null
  const { texts, labels } = options
  const byText = texts.findIndex((text) => plain(text) === plain(stated))
  if (byText !== -1) return labels[byText] ?? null
  const label = LETTER.exec(stated.replace(/^(?:option|choice)\s/iu, ''))?.groups?.['label'] ?? ''
  const found = labels.findIndex((one) => one.toLowerCase() === label.toLowerCase())
  if (found === -1) return null
  // "A dog" is no letter, unless it is the text of A.
  const rest = plain(stated.slice(stated.indexOf(label) + label.length))
  const isMarked = /^(?:option |choice )?[a-z\d]{1,2}[).:\]]/iu.test(stated)
  return rest === '' || isMarked || rest === plain(texts[found] ?? '') ? (labels[found] ?? null) : null
}

const finalChoice = (text: string, { given }: Asked): Read =>
  parseFinalLine(text, (stated) => labelIn(stated, given), 'the last line is not one of the options')

/** "Option C", "the answer would be (C)"; at the end of a text also "So it is C". */
const NAMED =
  /(?:\b(?:[Aa]nswer|ANSWER|[Oo]ption|[Cc]hoice)\b[^\n.]{0,24}?[\s:*("'[{]|\bis\s[$*("']{0,4}(?=[A-Z][$*)"'.]{0,4}\s*$))(?<label>[A-Z])(?=[\s.,;:)\]}*"'$]|$)/gu

const choice: Grader = {
  describe: 'one of the options, by letter or text',
  instruction: () => 'End with a line "Answer: X", where X is the letter of the right option.',
  strict: finalChoice,
  lenient: (text, question) =>
    orElse(finalChoice(text, question), () => {
      const { given } = question
      const { texts = [], labels = [] } = given.options ?? {}
      for (const piece of labelled(text)) {
        const clause = firstClause(piece)
        const label = labelIn(clause.text, given)
        if (label !== null) return at(label, 'label', clause)
      }
      const visible = visibleSpans(text).map(([from, to]) => ({ from, part: text.slice(from, to) }))
      for (const { from, part } of visible.reverse()) {
        const last = [...part.matchAll(NAMED)].findLast((one) => labels.includes(one.groups?.['label'] ?? ''))
        const end = from + (last?.index ?? 0) + (last?.[0].length ?? 0)
        if (last !== undefined) return at(last.groups?.['label'] ?? '', 'named', { start: end - 1, end })
      }
      const distinct = new Set(texts.map((one) => one.trim().toLowerCase()))
      if (distinct.size !== texts.length || distinct.has('')) return unparsed('no option is named')
      const found = choiceParser(texts, { named: true }).lenient(text)
      return found.kind === 'unparsed' ? found : { ...found, answer: labels[texts.indexOf(found.answer)] ?? '' }
    }),
  same: (target, prediction) => target === prediction,
}

/** The labels that a statement lists, such as "A, C", "A and C" or "AC", in their order. */
function labelsIn(stated: string, given: Given): string | null {
  const bare = stated.replaceAll(/[()[\]]/gu, '')
  const parts = bare.split(/[\s,;&+]+(?:and\s+)?/iu).filter((part) => part !== '')
  const found = (parts.length === 1 ? [...bare] : parts).map((part) => labelIn(part, given))
  return found.length < 2 || found.includes(null) ? labelIn(stated, given) : labelList(found as string[])
}

export const labelList = (labels: readonly string[]): string => [...new Set(labels)].sort().join(', ')

const finalChoices = (text: string, { given }: Asked): Read =>
  parseFinalLine(text, (stated) => labelsIn(stated, given), 'the last line does not list options')

const allChoices: Grader = {
  describe: 'all correct options and no other, by letter',
  instruction: () => 'End with a line "Answer: X, Y", where X, Y are the letters of all right options.',
  strict: finalChoices,
  lenient: (text, question) =>
    orElse(finalChoices(text, question), () => {
      for (const piece of labelled(text)) {
        const stated = statedOn(piece)
        const found = labelsIn(stated.text, question.given)
        if (found !== null) return at(found, 'label', stated)
      }
      return unparsed('no options are named')
    }),
  same: (target, prediction) => target === prediction,
}

// ---- Numbers

/** With the minus sign that framing took off; a bullet is none. */
const signed = (text: string, { start, end }: Pick<Piece, 'start' | 'end'>): string =>
  `${/(?:^|[\s:=*(])-[$€£¥]?$/u.test(text.slice(Math.max(0, start - 3), start)) ? '-' : ''}${text.slice(start, end)}`

const finalNumber = (text: string): Read =>
  parseFinalLine(
    text,
    (_, piece) => {
      const stated = signed(text, piece)
      const found = numbersIn(stated)
      return found.length === 1 ? (found[0]?.text ?? null) : null
    },
    'the last line is not one number',
  )

const number: Grader = {
  describe: 'the same number, within the tolerance',
  instruction: () => 'End with a line "Answer: N", where N is a number.',
  strict: finalNumber,
  lenient: (text) =>
    orElse(finalNumber(text), () => {
      for (const piece of labelled(text)) {
        const found = numbersIn(piece.text)
        const one = piece.text.includes('=') ? found.at(-1) : found[0]
        if (one !== undefined)
          return at(one.text, 'label', { start: piece.start + one.start, end: piece.start + one.end })
      }
      for (const [from, to] of visibleSpans(text).reverse())
        for (let end = to; end > from; ) {
          const start = Math.max(from, text.lastIndexOf('\n', end - 1) + 1)
          const one = end - start > MAX_LINE ? undefined : numbersIn(text.slice(start, end)).at(-1)
          if (one !== undefined) return at(one.text, 'last-number', { start: start + one.start, end: start + one.end })
          end = start - 1
        }
      return unparsed('no number')
    }),
  same(target, prediction, { tolerance }) {
    const [a, b] = [numberOf(target), numberOf(prediction)]
    return a !== null && b !== null && sameNumber(a, b, tolerance)
  },
  wrong: (target) => (numberOf(target) === null ? 'is no number' : null),
}

// ---- Patterns and JSON

const patterns = new Map<string, RE2JS>()

/** RE2: linear in the text whatever the pattern. @throws for a pattern that it does not know */
function pattern(text: string): RE2JS {
  const known = patterns.get(text) ?? RE2JS.compile(text)
  if (patterns.size > 10_000) patterns.clear()
  patterns.set(text, known)
  return known
}

/** All that is said outside of thoughts. */
const wholeText = (text: string): Read => {
  const spans = visibleSpans(text)
  const prediction = spans
    .map(([from, to]) => text.slice(from, to))
    .join('\n')
    .trim()
  const [first, last] = [spans[0]?.[0] ?? 0, spans.at(-1)?.[1] ?? text.length]
  return prediction === '' ? unparsed('no visible text') : at(prediction, 'text', { start: first, end: last })
}

const regex: Grader = {
  describe: 'a part of the response matches the pattern (RE2)',
  instruction: () => '',
  strict: wholeText,
  lenient: wholeText,
  same: (target, prediction) => pattern(target).matcher(prediction).find(),
  wrong(target) {
    try {
      pattern(target)
      return null
    } catch (error) {
      return `is no pattern of RE2: ${error instanceof Error ? error.message : String(error)}`
    }
  },
}

const MAX_JSON = 100_000
const MAX_DEPTH = 64

/** Canonical text of JSON; null: it is none, or deeper or longer than answers are. */
export function canonical(text: string): string | null {
  if (text.length > MAX_JSON) return null
  let depth = 0
  for (const [sign] of text.matchAll(/[[{\]}]/gu)) {
    depth += sign === '[' || sign === '{' ? 1 : -1
    if (depth > MAX_DEPTH) return null
  }
  try {
    return sortedJson(JSON.parse(text) as Json)
  } catch {
    return null
  }
}

function jsonText(text: string): Read {
  const fence = lastFence(text)
  if (fence !== null) {
    const found = canonical(text.slice(fence.start, fence.end))
    if (found !== null) return at(found, 'fence', fence)
  }
  const [from, to] = visibleSpans(text).at(-1) ?? [0, text.length]
  const start = text.slice(from, to).search(/[[{]/u)
  // Without a list or an object, the whole text may be a number or a quoted text.
  const span =
    start === -1
      ? { start: from, end: to }
      : { start: from + start, end: Math.max(text.lastIndexOf('}', to), text.lastIndexOf(']', to)) + 1 }
  const found = canonical(text.slice(span.start, span.end))
  return found === null ? unparsed('no JSON') : at(found, 'text', span)
}

const json: Grader = {
  describe: 'equal JSON, keys in any order',
  instruction: () => 'End with the answer as JSON in a fenced block.',
  strict: jsonText,
  lenient: jsonText,
  same: (target, prediction) => target === prediction,
  wrong: (target) => (canonical(target) === null ? 'is no JSON' : null),
}

/** What a judge said of a response is looked up ({@link judgedGrader}). */
const judge: Grader = {
  describe: 'a judge model with a rubric (touchstone analyze judge)',
  instruction: () => '',
  strict: wholeText,
  lenient: wholeText,
  same: () => false,
}

export const graders = { exact, choice, 'all-choices': allChoices, number, regex, json, judge } as const
export type GraderName = keyof typeof graders

/** @throws UsageError */
export function graderOf({ grader }: Pick<Given, 'grader'>): Grader {
  if (Object.hasOwn(graders, grader)) return graders[grader as GraderName]
  throw new UsageError(`unknown grader "${grader}"; known: ${Object.keys(graders).join(', ')}`)
}

/** The grader that fits the answers of a file. Rows without choices do not hide those of the others: they are listed, and not asked. */
export function guessGrader(
  rows: readonly { readonly answers: readonly Json[]; readonly choices: Offered | null }[],
  columns: FieldColumns,
): GraderName {
  const answerColumn = columns.answer?.[0] ?? ''
  const offered = rows.filter(({ choices }) => choices !== null)
  if (offered.length > rows.length / 2) {
    const severalAre = offered.some(({ answers, choices }) => (severalLabels(answers, choices)?.length ?? 0) > 1)
    return severalAre ? 'all-choices' : 'choice'
  }
  if (columns.rubric !== undefined) return 'judge'
  if (/^(?:regex|pattern)$/iu.test(answerColumn)) return 'regex'
  const all = rows.flatMap(({ answers }) => answers)
  if (all.length > 0 && all.every(isObject)) return 'json'
  if (all.length > 0 && all.every((answer) => numberOf(String(answer)) !== null)) return 'number'
  return 'exact'
}

/** Labels of choices that are right together: a list of them, or a text such as `AC` or `A, C`; null: something else. */
export function severalLabels(answers: readonly Json[], choices: Offered | null): readonly string[] | null {
  const [only] = answers
  const isText = answers.length === 1 && typeof only === 'string' && !choices?.texts.includes(only)
  const labels = isText ? [...only.replaceAll(/[\s,;]/gu, '')] : answers
  return labels.every((one): one is string => typeof one === 'string' && choices?.labels.includes(one) === true)
    ? labels
    : null
}

/** A number as it is written, exact: numerator and denominator. */
interface Fraction {
  readonly n: bigint
  readonly d: bigint
}

/** Digits of a number that is read; longer ones are none. */
const DIGITS = 400
const FACTOR = String.raw`(?:e|\s?(?:[x×*]|\\times)\s?10\s?\^\s?\{?)(?<power>[-+]?\d{1,3})\}?`
const NUMBER = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.])(?<sign>[-+]?)[$€£¥]?(?:\\[dt]?frac\{(?<top>\d{1,${DIGITS}})\}\{(?<bottom>\d{1,${DIGITS}})\}|` +
    String.raw`(?<digits>\d{1,3}(?:,\d{3}){1,100}(?!\d)|\d{1,${DIGITS}})?(?<decimals>\.\d{1,${DIGITS}})?(?:${FACTOR})?(?:\s?/\s?(?<under>\d{1,${DIGITS}}))?)`,
  'giu',
)

/** A number in a text. */
interface NumberAt {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** The numbers of a text in their order: decimals, thousands between commas, powers of ten, fractions. */
const numbersIn = (text: string): readonly NumberAt[] =>
  [...text.matchAll(NUMBER)].flatMap(({ 0: found, index }) =>
    /\d/u.test(found) ? [{ text: found.trim(), start: index, end: index + found.length }] : [],
  )

/** A text that is one number, maybe before a unit; null: it is not. */
function numberOf(text: string): Fraction | null {
  const [first, ...more] = [...text.trim().matchAll(NUMBER)].filter(([found]) => /\d/u.test(found))
  if (first?.index !== 0 || more.length > 0) return null
  const { sign, top, bottom, digits = '', decimals = '.', power = '0', under = '1' } = first.groups ?? {}
  const minus = sign === '-' ? -1n : 1n
  if (top !== undefined)
    return bottom === undefined || BigInt(bottom) === 0n ? null : { n: minus * BigInt(top), d: BigInt(bottom) }
  const places = Number(power) - (decimals.length - 1)
  const whole = BigInt(`${digits.replaceAll(',', '')}${decimals.slice(1)}`)
  const divisor = BigInt(under)
  if (divisor === 0n) return null
  return places >= 0
    ? { n: minus * whole * 10n ** BigInt(places), d: divisor }
    : { n: minus * whole, d: divisor * 10n ** BigInt(-places) }
}

/** Parts of 1 that tolerances are compared in. */
const SCALE = 10n ** 15n

/** Are two numbers equal, within a distance, or a share of the target such as `1%`? Exact where that is 0. */
function sameNumber(target: Fraction, prediction: Fraction, tolerance: string): boolean {
  const [left, right] = [target.n * prediction.d, prediction.n * target.d]
  if (left === right) return true
  const share = tolerance.endsWith('%')
  const allowed = BigInt(Math.round((share ? Number(tolerance.slice(0, -1)) / 100 : Number(tolerance)) * 1e15))
  const distance = abs(left - right) * SCALE
  return distance <= allowed * abs(share ? left : target.d * prediction.d)
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value)
