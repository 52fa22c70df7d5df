import type { CheckedStep, CheckedSteps } from '../../../../core/index.ts'
import { applyLaw, MAX_LAW, parseLaw, type SoundLaw, type Word } from '../../../../libraries/rewriting/sounds/index.ts'
import { answerBlock } from '../prompt.ts'
import type { Given } from '../question.ts'
import { astray, counted, pairsOf, said } from '../truth/solution.ts'

const NAME = String.raw`([^\n:]{1,60}?)`
const STEP = String.raw`${NAME} (\d{1,4})\. ([^\n:]{1,${MAX_LAW}}): ([^\n]{1,50000})`
const LOST = String.raw`No law of ${NAME} explains ([^\n]{1,50000})`
const MADE = String.raw`In this order the laws of ${NAME} make (\d{1,4} of \d{1,4} words?): ([^\n]{1,50000})`
const LINE = new RegExp(String.raw`^(?:${LOST}|${MADE}|${STEP})\.$`, 'gmu')

/**
 * Lines about laws in a text, each law run on what the lines before it left of the words shown; a line numbered 1 begins its
 * language anew. What is said last of the laws of each language, how many words they make, gives the answer. Linear in the text: the sounds
 * that are looked at are bounded, and lines beyond do not hold.
 */
export function stated(given: Given, text: string): CheckedSteps {
  const run = runner(Math.max(MAX_WORK, 4 * text.length))
  const languages = given.languages.map((_, k) => new Language(given, k, run))
  const steps: CheckedStep[] = []
  const unknown: string[] = []
  let [last, told] = [-1, new Map<number, readonly string[]>()]
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
      told = new Map(told).set(at, textsOf(list))
    }
    steps.push({ span: [match.index, match.index + match[0].length], holds, decides: null })
  }
  const decided = steps[last]
  if (decided !== undefined && told.size === languages.length) {
    const laws = languages.map((_, k) => told.get(k) ?? [])
    steps[last] = { ...decided, decides: answerBlock(given.languages, laws) }
  }
  return { steps, unknown }
}

/** Laws as a line lists them. */
const textsOf = (list: string): readonly string[] => (list === 'none' ? [] : list.split('; '))

function lawOf(text: string): SoundLaw | null {
  const read = parseLaw(text)
  return read.kind === 'law' ? read.law : null
}

/** The words of a language on their way. */
type Words = readonly Word[]

/** Words after a law; null: it is none, or one outgrew every bound, or too much was run already. */
type Run = (words: Words, law: string) => Words | null

/** Sounds looked at in reading a text, for each law and word. */
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

/** What is said of one language, held against its words. */
class Language {
  private readonly older: Words
  private readonly forms: Words
  private readonly run: Run
  /** After the laws so far; null: one of them could not be run. */
  private now: Words | null
  private laws = 0

  constructor(given: Given, language: number, run: Run) {
    const { older, forms } = pairsOf(given, language)
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
    return before !== null && this.now !== null && number === this.laws && said(before, this.now).includes(changes)
  }

  /** The words that do not come out, after the laws so far. */
  loses(list: string): boolean {
    return this.now !== null && astray(this.older, this.now, this.forms).join(', ') === list
  }

  /** How many words all laws make. */
  makes(share: string, laws: readonly string[]): boolean {
    const after = laws.reduce<Words | null>((now, law) => now && this.run(now, law), this.older)
    if (after === null) return false
    const made = this.forms.length - astray(this.older, after, this.forms).length
    return share === `${made} of ${counted(this.forms.length)}`
  }
}
