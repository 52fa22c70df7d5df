import { LruCache } from '../../core/memo.ts'
import type { Extraction } from '../../core/task.ts'
import type { AnswerVocabulary, Mention } from './answer-runs.ts'
import { parseFinalLine } from './final-line.ts'
import { assertedAnswer } from './statements.ts'

/** Parsers of a closed answer, returned as spelled in `choices`. Never throw; linear in the text. */
export interface ChoiceParser {
  /**
   * The last line with content outside reasoning blocks is one choice and nothing else; quotes, Markdown, punctuation at the
   * end, end-of-text marks, letter case and a leading label ("Answer:", "The answer is") are ignored. An unclosed reasoning
   * block is unparsed, and so is a line that the line above contradicts or denies.
   */
  readonly strict: (text: string) => Extraction<string>
  /**
   * As strict, else the answer that the text asserts (`assertedAnswer`), never one that it denies. At one position the
   * longest choice wins; an occurrence that reads as a common word (`isCommonWord`) counts only if there is no other.
   */
  readonly lenient: (text: string) => Extraction<string>
}

/** Options for choices that are no verdicts. */
export interface ClosedOptions {
  /** Choices are names or sentences, which explanations also mention. */
  readonly named?: boolean
  /** Comparatives whose first term is the answer, as in "A is older than B". */
  readonly wins?: readonly string[]
  /** Short forms of choices; one counts only if no capitalized word follows ("Ann", not "Ann Lee"). */
  readonly same?: readonly (readonly [short: string, choice: string])[]
  /** True if the occurrence of a choice at [start, end) belongs to a longer phrase that is another answer. */
  readonly longer?: (text: string, start: number, end: number) => boolean
}

/**
 * Compiles parsers for distinct, non-empty choices, compared without letter case.
 *
 * @example
 * import { choiceParser } from '@touchstone-eval/touchstone/parsers'
 *
 * const parser = choiceParser(['Yes', 'No'])
 * console.log(parser.strict('It ends in b.\n\nAnswer: **No**'))
 */
export function choiceParser(
  choices: readonly string[],
  { named = false, wins, same = [], longer }: ClosedOptions = {},
): ChoiceParser {
  const byFold = new Map<string, string>()
  for (const choice of choices) byFold.set(fold(choice), choice)
  if (byFold.size !== choices.length || byFold.has('')) {
    throw new RangeError(`choices must be distinct and non-empty without letter case, got ${JSON.stringify(choices)}`)
  }
  const long = new Map(same)
  const sorted = [...byFold.values()].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  const pattern = sorted
    .map((choice) => escaped(choice.trim()).replace(/\s+/g, '\\s{1,8}').replaceAll('\\-', DASH))
    .join('|')
  const anywhere = new RegExp(pattern, 'gi')

  function find(text: string): Mention[] {
    const out: Mention[] = []
    anywhere.lastIndex = 0
    for (let hit = anywhere.exec(text); hit !== null; hit = anywhere.exec(text)) {
      const [start, end] = [hit.index, anywhere.lastIndex]
      if (!isWholeWord(text, start, end)) {
        anywhere.lastIndex = start + 1
        continue
      }
      if (inCompound(text, start, end) || inCode(text, start) || longer?.(text, start, end) === true) continue
      if (isAside(text, start, end)) continue
      const isNo = NO.test(hit[0])
      if (isNo && otherNo(text, start, end)) continue
      const faint = !isNo && isCommonWord(text, start, end)
      const choice = byFold.get(fold(hit[0])) as string
      if (long.has(choice) && SURNAME.test(text.slice(end, end + 4))) continue
      out.push({ start, end, answer: long.get(choice) ?? choice, faint })
    }
    return out
  }
  const vocabulary: AnswerVocabulary =
    wins === undefined ? { find, kind: named ? 'named' : 'verdict' } : { find, kind: 'named', wins }

  const strict = (text: string): Extraction<string> =>
    parseFinalLine(text, (stated) => byFold.get(fold(stated)) ?? null, 'last line is not one of the choices')
  return {
    strict,
    lenient(text) {
      const found = strict(text)
      return found.kind === 'extracted' ? found : assertedAnswer(text, vocabulary)
    },
  }
}

/** A hyphen of a choice may be written as any dash, two hyphens or a low line, and a line may end there. */
const DASH = '(?:--?\\n?|[_\u2010-\u2015\u2212])'

/** "step-father", "Ann-Marie": the word is a part of another. */
const inCompound = (text: string, start: number, end: number): boolean =>
  /[\p{L}\p{N}]-$/u.test(text.slice(Math.max(0, start - 3), start)) || /^-[\p{L}\p{N}]/u.test(text.slice(end, end + 3))

/** `print("Yes")`, `return "No"`, `x ? "Yes" : "No"`: a program may say either. `answer("Yes")` is an answer. */
const inCode = (text: string, start: number): boolean =>
  /(?:\w(?<!answer)\(\s{0,4}|\breturn\s{1,4}|[?=]\s{1,4}|["']\s{1,4}(?:else|:)\s{1,4})["']$/i.test(
    text.slice(Math.max(0, start - 32), start),
  )

/** "Wait, no, it is ..." changes a mind; `if so, it prints "Yes"`, "otherwise No" are branches: neither says the answer. */
const isAside = (text: string, start: number, end: number): boolean => {
  const before = text.slice(Math.max(0, start - 120), start)
  return (
    /\botherwise\b[^.!?\n]{0,50}$/i.test(before) ||
    /\b(?:if|when)\b[^.!?\n]{0,80}\b(?:print|return|output)s?\s{1,2}["'`“]$/i.test(before) ||
    (/\b(?:wait|oh|ah|hm+),? $/i.test(before) && text[end] === ',')
  )
}

const SURNAME = /^[ \t]{1,2}\p{Lu}\p{Ll}/u
const NO = /^no$/i
/** Words after a "no" that is an answer; before other words it is the determiner of "no rule". */
const GOES_ON =
  /^[ \t]{1,4}(?:it|its|the|this|that|these|those|they|there|she|he|we|you|i|rather|instead|in|of course|and|as|because|but|if|or|nor|since|so|then|is|isn|was|wasn|can|cannot|can't|would|not|neither|which|for|at|given|due|based|according|here|an?|my|none|both|all|some|yes|no|follows?|contradicts?|fails?|seems?|looks?|does|doesn|must|should|could|may|might|instead|were|looked|seemed|to|by|after|on|from|vs|versus|than|unless|until|indeed|definitely|obviously|clearly|again|either|with)\b/i
const ANSWERS = /(?:answer|verdict|conclusion|result|response|output)(?:\W{0,6}|\W{1,6}(?:is|was|be)\W{1,6})$/i

/** "No rule", "rule No. 5", "no-one", "no's": not an answer. */
function otherNo(text: string, start: number, end: number): boolean {
  const after = text.slice(end, end + 16)
  if (/^[ \t]{1,4}\p{L}/u.test(after))
    return !GOES_ON.test(after) && !ANSWERS.test(text.slice(Math.max(0, start - 30), start))
  return (
    /^\.?\s?(?:\d|#)|^-(?!no\b|yes\b)\p{L}|^['’]\p{L}/iu.test(after) ||
    (/(?<!yes|no)-$/i.test(text.slice(Math.max(0, start - 4), start)) &&
      /\p{L}-$/u.test(text.slice(Math.max(0, start - 2), start)))
  )
}

const parsers = new LruCache<ChoiceParser, string>(64)
const parserOf = (choices: readonly string[]): ChoiceParser =>
  parsers.get(choices.join('\n'), () => choiceParser(choices))

/**
 * The strict parser of {@link choiceParser}; compiled parsers are cached.
 *
 * @example
 * import { strictChoice } from '@touchstone-eval/touchstone/parsers'
 *
 * console.log(strictChoice('Answer: yes.', ['Yes', 'No']))
 */
export const strictChoice = (text: string, choices: readonly string[]): Extraction<string> =>
  parserOf(choices).strict(text)
/**
 * The lenient parser of {@link choiceParser}; compiled parsers are cached.
 *
 * @example
 * import { lenientChoice } from '@touchstone-eval/touchstone/parsers'
 *
 * console.log(lenientChoice('I would say it is not in the language, so no', ['Yes', 'No']))
 */
export const lenientChoice = (text: string, choices: readonly string[]): Extraction<string> =>
  parserOf(choices).lenient(text)

const fold = (text: string): string =>
  text.trim().replace(/\s+/g, ' ').replaceAll(new RegExp(DASH, 'g'), '-').toLowerCase()
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

const WORD = /[\p{L}\p{N}_]/u
/** True if both ends of [start, end) are word boundaries, by Unicode letters and digits. */
export function isWholeWord(text: string, start: number, end: number): boolean {
  if (start > 0 && WORD.test(text[start] as string) && WORD.test(codePointBefore(text, start))) return false
  if (end < text.length && WORD.test(text[end - 1] as string) && WORD.test(codePointAt(text, end))) return false
  return true
}
const codePointAt = (text: string, at: number): string => String.fromCodePoint(text.codePointAt(at) as number)
function codePointBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1)
  const pair = low >= 0xdc00 && low <= 0xdfff && at >= 2
  return pair ? codePointAt(text, at - 2) : text.slice(at - 1, at)
}

/** Given names that are also English words, and "no". */
const words = new Set(
  `amber angel april art august aurora autumn basil beau bill bob brook carol carter chad chance charity chase
  christian clay clement constance cooper crystal daisy dale dawn dean don drew earl eve faith flora forrest frank
  gene glen grace grant griffin guy harper harry hazel heath heather holly homer hope hunter iris ivy jack jade
  jasmine jay jean john joy june kit lance lily marina mark mason max may melody mercedes miles nick no olive opal
  page parker pat patience patsy pearl penny perry peter pierce piper poppy randy raven ray red reed rich rob
  robin roger roman rose rosemary rowan ruby ruth sage sally sandy scarlett sienna skip sue summer tanner tom
  tucker victor viola violet wade ward warren will willow`.split(/\s+/),
)

const CONJUNCTION = 'and|as|because|but|if|or|since|so|then'
const WORD_FOLLOWS = new RegExp(`^(?:[ \\t]{1,4}(?!(?:${CONJUNCTION})\\b)\\p{Ll}|['’]t\\b)`, 'u')
const SENTENCE_START = /(?:^|[.!?:\n])[\s*_>#("'“‘-]{0,8}$/

/**
 * True if the word at [start, end) is a common word rather than an answer: "Hope this helps", "mark this", "Don't", "there
 * is no way". That is a name in lower case, or a word that begins a sentence and continues in lower case. A lower-case
 * "no" is an answer unless it belongs to the next word.
 */
function isCommonWord(text: string, start: number, end: number): boolean {
  const word = text.slice(start, end)
  const small = word.toLowerCase()
  if (!words.has(small)) return false
  if (word === small && small !== 'no') return true
  if (!WORD_FOLLOWS.test(text.slice(end, end + 16))) return false
  return word === small || SENTENCE_START.test(text.slice(Math.max(0, start - 10), start))
}
