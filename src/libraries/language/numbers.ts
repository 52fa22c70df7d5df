import type { Extraction } from '../../core/task.ts'
import type { Mention } from './answer-runs.ts'
import { parseFinalLine } from './final-line.ts'
import { assertedAnswer } from './statements.ts'

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
/** Number words up to ninety-nine; the index is the value. */
const names = [...small, ...tens.flatMap((ten) => [ten, ...small.slice(1, 10).map((one) => `${ten}-${one}`)])]
const DASH = '[-\\u2010-\\u2015\\u2212 ]'

/**
 * A whole number as digits (with thousands separators or a zero fraction) or as a word up to ninety-nine, or null.
 *
 * @example
 * import { wholeNumber } from '@touchstone-eval/touchstone/parsers'
 *
 * console.log(wholeNumber('1,200'), wholeNumber('seven'), wholeNumber('7.5')) // 1200 7 null
 */
export function wholeNumber(text: string): number | null {
  const word = names.indexOf(text.toLowerCase().replace(new RegExp(DASH), '-'))
  if (word !== -1) return word
  if (!/^\d{1,3}(?:,\d{3}){0,4}(?:\.0{1,6})?$|^\d{1,15}(?:\.0{1,6})?$/.test(text)) return null
  return Number(text.replaceAll(',', ''))
}

/**
 * The last line with content outside reasoning blocks is one whole number, alone or before a unit ("5 hops"); a leading
 * label is ignored. The answer is the number in digits.
 *
 * @example
 * import { strictNumber } from '@touchstone-eval/touchstone/parsers'
 *
 * console.log(strictNumber('Counting the edges.\n5 hops', ['hops']))
 */
export const strictNumber = (text: string, units: readonly string[] = []): Extraction<string> =>
  parseFinalLine(
    text,
    (stated, at) => {
      const value = numberAlone(stated, units)
      // A dash right before the digits is a sign; before a blank it is a bullet.
      return value === null || /[-–−]/.test(text[at.start - 1] ?? '') ? null : String(value)
    },
    'last line is not one whole number',
  )

/** A whole number with nothing after it but units. */
function numberAlone(text: string, units: readonly string[]): number | null {
  const [first = '', ...rest] = text.replace(TWO_WORDS, '$1-$2').split(/\s+/)
  return rest.every((word) => units.includes(lettersOf(word))) ? wholeNumber(first) : null
}

const TWO_WORDS = new RegExp(`^(${tens.join('|')}) (${small.slice(1, 10).join('|')})\\b`, 'i')
const lettersOf = (word: string): string => word.toLowerCase().replace(/[^a-z]/g, '')

const NUMBER = new RegExp(
  `(?<![\\w.,^≥≤<±]|[≥≤<±^] |\\w > ?|\\d:|hundred and )(?:\\d{1,3}(?:,\\d{3}){1,4}(?:\\.0{1,6})?|\\d{1,15}(?:\\.0{1,6})?|(?<!\\p{L}-)(?:${names
    .toReversed()
    .map((name) => name.replace('-', DASH))
    .join('|')})(?!-\\p{L}| (?:hundred|thousand|million|dozen|half)))(?![\\w%‰°^+]|\\p{No}|[.,:]\\d)`,
  'giu',
)

/**
 * As strict, else the number that the text asserts (`assertedAnswer`), in digits. Of several in a sentence, those
 * before a unit count. "one" counts only alone or before a unit: "no shorter one" is no number.
 *
 * @example
 * import { lenientNumber } from '@touchstone-eval/touchstone/parsers'
 *
 * console.log(lenientNumber('They are five hops apart.', ['hops']))
 */
export function lenientNumber(text: string, units: readonly string[] = []): Extraction<string> {
  const strict = strictNumber(text, units)
  if (strict.kind === 'extracted') return strict
  // What the text ends in is its answer, though no whole number: an earlier one is not.
  const other = parseFinalLine(
    text,
    (stated, at) =>
      NOT_WHOLE.test(stated) || /^[-–−]\d/u.test(text.slice(at.start - 1, at.start + 1)) ? stated : null,
    '',
  )
  if (other.kind === 'extracted') return { kind: 'unparsed', reason: 'the last line is a number, but no whole one' }
  const before = (mention: Mention, sentence: string): boolean => units.includes(nextWord(sentence, mention.end))
  return assertedAnswer(text, {
    kind: 'named',
    find: (sentence) => numbersIn(sentence, units),
    joins: RANGE,
    preferred: before,
  })
}

/** A negative number, a fraction or a decimal, alone or after a short label, before a unit or none. */
const NOT_WHOLE =
  /^(?:\p{L}[\p{L} ]{0,30}[:=]\s{0,3})?(?:[$€£]\s?)?(?:[-−–][$€£]?\d[\d,.]*|\d[\d,]*\.\d*[1-9]\d*|\d+\/\d+)(?:\s[\p{L}%]+){0,3}$/u
const RANGE = /^(?:to|-|–|—|or so to|up to|through)$/
/** "More than 3" is no answer; "step 3" and "2." at the start of a line are positions in a list. */
const BOUND =
  /(?:\b(?:more|less|fewer|greater|larger|smaller|other) than(?: or equal to)?|\b(?:over|under|above|below|at (?:most|least)|up to|age[ds]?|steps?|hop|rules?|numbers?|no\.|person|family|option|item|line|#)|[-–−#])\s{0,3}[*_"'`]{0,3}$/i
const PLACE = /(?:^|\n)[ \t]{0,8}$/

function numbersIn(text: string, units: readonly string[]): Mention[] {
  const out: Mention[] = []
  NUMBER.lastIndex = 0
  for (let hit = NUMBER.exec(text); hit !== null; hit = NUMBER.exec(text)) {
    const [start, end] = [hit.index, NUMBER.lastIndex]
    const unit = units.includes(nextWord(text, end))
    const before = text.slice(Math.max(0, start - 24), start)
    if (/^one$/i.test(hit[0]) && !unit && !alone(before, text.slice(end, end + 4))) continue
    if (BOUND.test(before) && !/\d\s?[-–−]\s?$/.test(before)) continue
    if (PLACE.test(before) && /^[.)]\s+\S/.test(text.slice(end, end + 4))) continue
    out.push({ start, end, answer: String(wholeNumber(hit[0]) as number), faint: false })
  }
  return out
}

/** "Answer: one, as ..." */
const alone = (before: string, after: string): boolean =>
  /(?:answer|result|total|number)\W{1,6}(?:is\W{1,4})?$/i.test(before) && /^[\s*_]*(?:[.,;!(\n]|$)/.test(after)

const nextWord = (text: string, at: number): string =>
  lettersOf(/^[\s-]{1,3}[a-z-]{1,20}/i.exec(text.slice(at, at + 24))?.[0] ?? '')
