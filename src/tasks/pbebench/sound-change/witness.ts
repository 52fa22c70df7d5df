import {
  type CheckedStep,
  type CheckedSteps,
  fullOnly,
  type Json,
  optionalStep,
  type SolutionStep,
} from '../../../core/index.ts'
import {
  applyLaw,
  historyOf,
  MAX_LAW,
  parseBareLaw,
  type SoundLaw,
  sameWord,
  type Word,
  wordOf,
  wordText,
} from '../../../libraries/rewriting/sounds/index.ts'
import { states } from './oracle.ts'
import { readLaws } from './parsers.ts'
import { answerBlock } from './prompt.ts'
import { type Answer, type Given, pairsOf } from './question.ts'

/** By language, every unseen word after each law. */
export function witness({ unseen, limits }: Given, { laws }: Answer): Json {
  return laws.map((texts) => {
    const read = readLaws(texts, limits.laws)
    return unseen.map(({ older }) =>
      historyOf(read, wordOf(older))
        .slice(1)
        .map((word) => (word === null ? null : wordText(word))),
    )
  })
}

/** Is every step what the regular expressions of the oracle make of it, and the last one the younger form? */
export function check({ languages, unseen }: Given, { laws }: Answer, proof: Json): boolean {
  const steps = proof as readonly (readonly (readonly (string | null)[])[])[]
  if (!Array.isArray(steps) || steps.length !== languages.length || laws.length !== languages.length) return false
  return languages.every((_, k) => {
    const after = states(
      laws[k] ?? [],
      unseen.map(({ older }) => older),
    )
    return unseen.every(({ older, younger }, i) => {
      const printed = steps[k]?.[i]
      if (!Array.isArray(printed) || printed.length !== after.length) return false
      const last = printed.length === 0 ? older : printed.at(-1)
      return printed.every((word, n) => word === after[n]?.[i]) && (younger[k] === null || younger[k] === last)
    })
  })
}

const textOf = (word: Word): string => (word.length === 0 ? '(nothing)' : wordText(word))
const counted = (count: number): string => (count === 1 ? '1 word' : `${count} words`)

/** What a law did to the words, one by one and counted. */
function describeStep(before: readonly Word[], after: readonly Word[]): readonly [full: string, short: string] {
  const changes = before.flatMap((word, i) => {
    const now = after[i] as Word
    return sameWord(word, now) ? [] : [`${textOf(word)} -> ${textOf(now)}`]
  })
  if (changes.length === 0) return ['no word changes', 'no word changes']
  return [changes.join(', '), `${counted(changes.length)} ${changes.length === 1 ? 'changes' : 'change'}`]
}

/** Words that do not come out, as they were. */
const wrongForms = (older: readonly Word[], made: readonly Word[], forms: readonly Word[]): readonly string[] =>
  older.flatMap((word, i) => (sameWord(made[i] as Word, forms[i] as Word) ? [] : [textOf(word)]))

/**
 * Every law of every language in turn with the words that it changes (in short: how many); the words that no law explains; how
 * many words the laws make; then the answer.
 */
export function solution(given: Given, { laws }: Answer): readonly SolutionStep[] {
  const lines = given.languages.flatMap((name, k) => {
    const { older, forms } = pairsOf(given.words, k)
    const texts = laws[k] ?? []
    let now = older
    const steps = readLaws(texts, given.limits.laws).map((law, n) => {
      const after = now.map((word) => applyLaw(law, word) ?? [])
      const [full, short] = describeStep(now, after)
      now = after
      const head = `${name} ${n + 1}. ${texts[n]}: `
      return optionalStep(`${head}${full}.`, `${head}${short}.`)
    })
    const lost = wrongForms(older, now, forms)
    const list = texts.length === 0 ? 'none' : texts.join('; ')
    return [
      ...steps,
      ...(lost.length === 0 ? [] : [fullOnly(`No law of ${name} explains ${lost.join(', ')}.`)]),
      `In this order the laws of ${name} make ${forms.length - lost.length} of ${counted(forms.length)}: ${list}.`,
    ]
  })
  return [...lines, answerBlock(given.languages, laws)]
}

const NAME = String.raw`([^\n:]{1,60}?)`
const STEP = String.raw`${NAME} (\d{1,4})\. ([^\n:]{1,${MAX_LAW}}): ([^\n]{1,50000})`
const LOST = String.raw`No law of ${NAME} explains ([^\n]{1,50000})`
const MADE = String.raw`In this order the laws of ${NAME} make (\d{1,4} of \d{1,4} words?): ([^\n]{1,50000})`
const LINE = new RegExp(String.raw`^(?:${LOST}|${MADE}|${STEP})\.$`, 'gmu')

/**
 * Lines about laws in a text, each law run on the words left by the lines before it; a line numbered 1 restarts its
 * language. The last statement about the laws of each language gives the answer. Linear in the text: the number of
 * sounds processed is bounded, and lines beyond do not hold.
 */
export function checkSteps(given: Given, text: string): CheckedSteps {
  const run = runner(Math.max(MAX_WORK, 4 * text.length))
  const languages = given.languages.map((_, k) => new Language(given, k, run))
  const steps: CheckedStep[] = []
  const unknown: string[] = []
  let [last, printed] = [-1, new Map<number, readonly string[]>()]
  for (const match of text.matchAll(LINE)) {
    const [, ofLost, lost, ofMade, share, list, ofStep, number, law, changes] = match
    const name = ofLost ?? ofMade ?? ofStep ?? ''
    const at = given.languages.indexOf(name)
    const language = languages[at]
    if (language === undefined) {
      if (law !== undefined && lawOf(law) !== null) unknown.push(name)
      continue
    }
    const holds =
      lost !== undefined
        ? language.loses(lost)
        : list !== undefined
          ? language.makes(share ?? '', textsOf(list))
          : language.step(Number(number), law ?? '', changes ?? '')
    if (list !== undefined && holds) {
      last = steps.length
      printed = new Map(printed).set(at, textsOf(list))
    }
    steps.push({ span: [match.index, match.index + match[0].length], holds, decides: null })
  }
  const decided = steps[last]
  if (decided !== undefined && printed.size === languages.length) {
    const laws = languages.map((_, k) => printed.get(k) ?? [])
    steps[last] = { ...decided, decides: answerBlock(given.languages, laws) }
  }
  return { steps, unknown }
}

/** Laws as a line lists them. */
const textsOf = (list: string): readonly string[] => (list === 'none' ? [] : list.split('; '))

function lawOf(text: string): SoundLaw | null {
  const read = parseBareLaw(text)
  return read.kind === 'law' ? read.law : null
}

/** The words of a language on their way. */
type Words = readonly Word[]

/** Words after a law; null: it is none, or one outgrew every bound, or too much was run already. */
type Run = (words: Words, law: string) => Words | null

/** Maximum sounds processed per text, law and word. */
const MAX_WORK = 2_000_000

function runner(most: number): Run {
  let left = most
  return (words, text) => {
    const law = left <= 0 ? null : lawOf(text)
    if (law === null) return null
    left -= words.reduce((sum, word) => sum + word.length + 1, 0)
    const after = words.flatMap((word) => {
      const now = applyLaw(law, word)
      return now === null ? [] : [now]
    })
    return after.length < words.length ? null : after
  }
}

/** Statements about one language, checked against its words. */
class Language {
  private readonly older: Words
  private readonly forms: Words
  private readonly run: Run
  /** After the laws so far; null: one of them could not be run. */
  private now: Words | null
  private laws = 0

  constructor(given: Given, language: number, run: Run) {
    const { older, forms } = pairsOf(given.words, language)
    this.older = older
    this.forms = forms
    this.run = run
    this.now = older
  }

  /** The next law, and the words that it changes. */
  step(number: number, law: string, changes: string): boolean {
    if (number === 1) [this.now, this.laws] = [this.older, 0]
    const before = this.now
    this.now = before === null ? null : this.run(before, law)
    this.laws++
    return (
      before !== null && this.now !== null && number === this.laws && describeStep(before, this.now).includes(changes)
    )
  }

  /** The words that do not come out, after the laws so far. */
  loses(list: string): boolean {
    return this.now !== null && wrongForms(this.older, this.now, this.forms).join(', ') === list
  }

  /** How many words all laws make. */
  makes(share: string, laws: readonly string[]): boolean {
    const after = laws.reduce<Words | null>((now, law) => now && this.run(now, law), this.older)
    if (after === null) return false
    const made = this.forms.length - wrongForms(this.older, after, this.forms).length
    return share === `${made} of ${counted(this.forms.length)}`
  }
}
