import { type Imported, importProblem, loneItem } from '../../../core/index.ts'
import { plainSymbol, type Word, wordText } from '../../../libraries/rewriting/sounds/index.ts'
import { describeWords } from '../sound-change/draw.ts'
import type { Descent, Given } from '../sound-change/question.ts'
import { lawsKnown } from './known-laws.ts'

/** A word of one language as a word list has it. */
export interface WordForm {
  readonly language: string
  /** What it means. */
  readonly concept: string
  /** Equal for words of one origin; null: nobody has said. */
  readonly cognates: string | null
  readonly word: Word
  /** Said to be a loan: it is left out, and counted. */
  readonly loan: boolean
}

/** A published list of words in several languages. */
export interface WordList {
  readonly path: string
  readonly forms: readonly WordForm[]
  /** Who made it, and under which terms; null: it does not say. */
  readonly source: string | null
  readonly licence: string | null
}

/** Fewest words with cognates in both languages, most in one item, and which of three is kept for the score. */
const MIN = 20
const MAX = 240
const KEPT = 2

/** Laws of real words in an answer at most. */
const MAX_LAWS = 40

/** Marks of morphemes and words, which are no sounds. */
const NO_SOUND = /^[+_#◦←→.|-]+$/u

/** Sounds as published: `p a + t i`; of `X/Y` the sound is Y. At most 100 are taken. */
export const soundsOf = (segments: string): Word =>
  segments
    .split(/\s+/u, 100)
    .map((sound) => sound.slice(sound.indexOf('/') + 1))
    .filter((sound) => sound !== '' && !NO_SOUND.test(sound))
    .map(plainSymbol)

/** Sounds of a word that is only spelt: a letter with its marks, and letters that a tie joins. */
export const lettersOf = (form: string): Word =>
  (form.slice(0, 400).match(/\p{L}(?:[\u0361\u035c]\p{L}|[\p{M}\p{Lm}\u02d0])*/gu) ?? []).map(plainSymbol)

/** How old a language says to be by its name: others came of one that is older. */
const ageOf = (name: string): number => (/^(?:\*|proto|common )/iu.test(name) ? 2 : /^old /iu.test(name) ? 1 : 0)

const nameText = (name: string): string => name.replaceAll(/[^\p{L}\p{N} .'()-]/gu, '').slice(0, 60)

/** Every pair of an older language and another one with cognates in both, as items: one word in three is kept for the score. */
export function* itemsOf({ path, forms, source, licence }: WordList): Generator<Imported> {
  if (licence === null)
    yield importProblem('licence', path, null, 'says no licence: ask its makers before you pass it on')
  const loans = forms.filter(({ loan }) => loan).length
  if (loans > 0) yield { kind: 'count', name: 'loansLeftOut', add: loans }
  const heirs = forms.filter(({ loan, word }) => !loan && word.length > 0)
  const judged = heirs.filter(({ cognates }) => cognates !== null)
  if (judged.length === 0 && heirs.length > 0)
    yield importProblem('no-cognates', path, null, 'says of no word where it is from: words of one meaning are paired')
  else if (judged.length < heirs.length)
    yield { kind: 'count', name: 'unjudgedLeftOut', add: heirs.length - judged.length }
  const byLanguage = Map.groupBy(heirs, ({ language }) => language)
  const told = (language: string): readonly WordForm[] =>
    (byLanguage.get(language) ?? []).filter(({ cognates }) => judged.length === 0 || cognates !== null)
  const olders = [...byLanguage.keys()].filter((name) => ageOf(name) > 0)
  if (olders.length === 0)
    yield importProblem(
      'no-older-language',
      path,
      null,
      'no language is called Proto-..., Old ... or *...: rename the one that the others came of',
    )
  for (const older of olders)
    for (const younger of byLanguage.keys()) {
      if (ageOf(older) <= ageOf(younger)) continue
      const pairs = pairsOf(told(older), told(younger))
      if (pairs.length < MIN) {
        yield importProblem(
          'few-words',
          path,
          null,
          `${older} and ${younger} share ${pairs.length} words, ${MIN} are wanted`,
        )
        continue
      }
      yield* pairItems({ path, older, younger, pairs, source: source ?? path, licence: licence ?? 'not said' })
    }
}

/** Words of one language, and what became of them in another. */
export interface WordPairs {
  readonly path: string
  readonly older: string
  readonly younger: string
  readonly pairs: readonly Descent[]
  readonly source: string
  readonly licence: string
}

/** Word pairs as items of about the same size, no word left out: one in three is kept for the score. */
export function* pairItems({ pairs, ...list }: WordPairs): Generator<Imported> {
  const { path, older, younger } = list
  const parts = Math.ceil(pairs.length / MAX)
  for (let part = 0; part < parts; part++) {
    const [from, to] = [part, part + 1].map((k) => Math.round((k * pairs.length) / parts))
    const words = pairs.slice(from, to)
    yield* loneItem(`${path}:${older}:${younger}:${from}`, itemOf({ pairs: words, ...list }))
    yield { kind: 'count', name: 'wordPairs', add: words.length }
  }
}

/** Words of one origin, each used once. */
function pairsOf(older: readonly WordForm[], younger: readonly WordForm[]): readonly Descent[] {
  const originOf = ({ cognates, concept }: WordForm): string => cognates ?? concept
  const left = Map.groupBy(younger, originOf)
  const seen = new Set<string>()
  return older.flatMap((old): readonly Descent[] => {
    const [origin, { word }] = [originOf(old), old]
    const form = left.get(origin)?.[0]
    if (form === undefined || seen.has(origin)) return []
    seen.add(origin)
    return [{ older: wordText(word), younger: [wordText(form.word)] }]
  })
}

function itemOf({ older, younger, pairs, source, licence }: WordPairs) {
  const given: Given = {
    languages: [nameText(younger)],
    words: pairs.filter((_, i) => i % 3 !== KEPT),
    unseen: pairs.filter((_, i) => i % 3 === KEPT),
    limits: { laws: MAX_LAWS },
  }
  const laws = lawsKnown(older, younger)
  return {
    given,
    answer: { laws: [laws] },
    features: {
      language: `${nameText(older)} to ${nameText(younger)}`,
      languages: 1,
      ...(laws.length === 0 ? {} : { laws: laws.length }),
      source,
      licence,
      ...describeWords(given),
    },
  }
}
