import type { Extraction } from '../../core/task.ts'
import type { AnswerVocabulary, Mention } from './answer-runs.ts'
import { standAlone } from './final-line.ts'
import { assertedAnswer } from './statements.ts'

/** Readers of a closed answer: the answer comes back spelled as in `choices`. Total and linear in the text. */
export interface ChoiceParser {
  /**
   * The last line with content outside reasoning blocks says one choice and nothing else; quotes, Markdown, end
   * punctuation, marks of the text's end, letter case and a leading label ("Answer:", "The answer is") are tolerated. An
   * unclosed reasoning block is unparsed, and so is a line that another one contradicts or denies.
   */
  readonly strict: (text: string) => Extraction<string>
  /**
   * What strict reads; else what the text asserts ({@link assertedAnswer}): never an answer from a sentence that denies it.
   * At one place the longest choice wins, and an occurrence that reads as an {@link isCommonWord} word counts only where there
   * is no other.
   */
  readonly lenient: (text: string) => Extraction<string>
}

/** How answers are said, where that is not as verdicts. */
export interface ClosedOptions {
  /** Choices are names or sentences, which explanations mention too. */
  readonly named?: boolean
  /** Comparatives after which the first of two is meant, as in "A is older than B". */
  readonly wins?: readonly string[]
  /** Short forms of choices, themselves choices; one counts only where no capital letter goes on ("Ann", not "Ann Lee"). */
  readonly same?: readonly (readonly [short: string, choice: string])[]
}

/**
 * Compiles readers for a list of distinct, non-empty choices (compared without letter case).
 *
 * @example
 * import { choiceParser } from '@touchstone-eval/touchstone/parsers'
 *
 * const reader = choiceParser(['Yes', 'No'])
 * console.log(reader.strict('It ends in b.\n\nAnswer: **No**'))
 */
export function choiceParser(
  choices: readonly string[],
  { named = false, wins, same = [] }: ClosedOptions = {},
): ChoiceParser {
  const byFold = new Map<string, string>()
  for (const choice of choices) byFold.set(fold(choice), choice)
  if (byFold.size !== choices.length || byFold.has('')) {
    throw new RangeError(`choices must be distinct and non-empty without letter case, got ${JSON.stringify(choices)}`)
  }
  const long = new Map(same)
  const sorted = [...byFold.values()].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  const pattern = sorted.map((choice) => escaped(choice.trim()).replace(/\s+/g, '\\s{1,8}')).join('|')
  const anywhere = new RegExp(pattern, 'gi')

  function find(text: string): Mention[] {
    const out: Mention[] = []
    anywhere.lastIndex = 0
    for (let hit = anywhere.exec(text); hit !== null; hit = anywhere.exec(text)) {
      const [start, end] = [hit.index, anywhere.lastIndex]
      if (!wholeWord(text, start, end)) {
        anywhere.lastIndex = start + 1
        continue
      }
      const isNo = NO.test(hit[0])
      if (isNo && otherNo(text, start, end)) continue
      const faint = !isNo && isCommonWord(text, start, end)
      const choice = byFold.get(fold(hit[0])) as string
      if (long.has(choice) && SURNAME.test(text.slice(end, end + 4))) continue
      out.push({ start, end, answer: long.get(choice) ?? choice, faint })
    }
    return out
  }
  const manner: AnswerVocabulary =
    wins === undefined ? { find, kind: named ? 'named' : 'verdict' } : { find, kind: 'named', wins }

  const strict = (text: string): Extraction<string> =>
    standAlone(text, (stated) => byFold.get(fold(stated)) ?? null, 'last line is not one of the choices')
  return {
    strict,
    lenient(text) {
      const found = strict(text)
      return found.kind === 'extracted' ? found : assertedAnswer(text, manner)
    },
  }
}

const SURNAME = /^[ \t]{1,2}\p{Lu}\p{Ll}/u
const NO = /^no$/i
/** What follows a "no" that answers; before other words it is the determiner of "no rule". */
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

const readers = new Map<string, ChoiceParser>()

/** `choiceParser(choices)`, compiled once for each of the last few lists. */
function readerOf(choices: readonly string[]): ChoiceParser {
  const key = choices.join('\n')
  let reader = readers.get(key)
  if (reader === undefined) {
    if (readers.size >= 64) readers.clear()
    reader = choiceParser(choices)
    readers.set(key, reader)
  }
  return reader
}

/**
 * {@link choiceParser}'s strict reading, compiled once for each list of choices.
 *
 * @example
 * import { strictChoice } from '@touchstone-eval/touchstone/parsers'
 *
 * console.log(strictChoice('Answer: yes.', ['Yes', 'No']))
 */
export const strictChoice = (text: string, choices: readonly string[]): Extraction<string> =>
  readerOf(choices).strict(text)
/**
 * {@link choiceParser}'s lenient reading, compiled once for each list of choices.
 *
 * @example
 * import { lenientChoice } from '@touchstone-eval/touchstone/parsers'
 *
 * console.log(lenientChoice('I would say it is not in the language, so no', ['Yes', 'No']))
 */
export const lenientChoice = (text: string, choices: readonly string[]): Extraction<string> =>
  readerOf(choices).lenient(text)

const fold = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase()
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

const WORD = /[\p{L}\p{N}_]/u
/** Are both ends of [start, end) at word boundaries, by Unicode letters and digits? */
export function wholeWord(text: string, start: number, end: number): boolean {
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

/** Given names that are other English words too, and "no". */
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
 * Does the word at [start, end) read as an ordinary word rather than as an answer? "Hope this helps", "mark this",
 * "Don't", "there is no way": a name in small letters, or a word that begins a sentence and goes on in small letters.
 * "no" is an answer in small letters too, unless a word follows that it belongs to.
 */
export function isCommonWord(text: string, start: number, end: number): boolean {
  const word = text.slice(start, end)
  const small = word.toLowerCase()
  if (!words.has(small)) return false
  if (word === small && small !== 'no') return true
  if (!WORD_FOLLOWS.test(text.slice(end, end + 16))) return false
  return word === small || SENTENCE_START.test(text.slice(Math.max(0, start - 10), start))
}
