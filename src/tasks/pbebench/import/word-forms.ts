import { hint, type Imported, importProblem, loneItem } from '../../../core/index.ts'
import { plainSymbol, type Word, wordText } from '../../../libraries/rewriting/sounds/index.ts'
import { describeWords } from '../sound-change/draw.ts'
import type { Descent, Given } from '../sound-change/question.ts'
import known from './known-laws.json' with { type: 'json' }

/** A word of one language as a word list has it. */
export interface WordForm {
  /** Its id. */
  readonly language: string
  /** What it means. */
  readonly concept: string
  /** Equal for words of one origin; null: unknown. */
  readonly cognates: string | null
  readonly word: Word
  /** A loan: omitted, and counted. */
  readonly loan: boolean
}

/** A language of a list, with what the list says of its relations. */
export interface Language {
  readonly id: string
  readonly name: string
  /** How Glottolog calls it; null: the list does not say. */
  readonly glottologName: string | null
  /** Families and groups that it belongs to, the largest first. */
  readonly groups: readonly string[]
}

/** A published list of words in several languages. */
export interface WordList {
  readonly path: string
  readonly languages: readonly Language[]
  readonly forms: readonly WordForm[]
  /** Author and licence; null: not stated. */
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

/** Sounds as published: `p a + t i`; of `X/Y` the sound is Y, and `*p` is p. At most 100 are taken. */
export const soundsOf = (segments: string): Word =>
  segments
    .split(/\s+/u, 100)
    .map((sound) => sound.slice(sound.indexOf('/') + 1).replace(/^\*/u, ''))
    .filter((sound) => sound !== '' && !NO_SOUND.test(sound))
    .map(plainSymbol)

/** Sounds of a word that is only spelt: a letter with its marks, and letters that a tie joins. */
export const lettersOf = (form: string): Word =>
  (form.slice(0, 400).match(/\p{L}(?:[\u0361\u035c]\p{L}|[\p{M}\p{Lm}\u02d0])*/gu) ?? []).map(plainSymbol)

const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^(?:\*\s*|proto[-\s]*|common\s+)/u, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

const isProto = ({ name }: Language): boolean => /^(?:\*|proto|common )/iu.test(name)

/** An older language and those that descend from it; or why that is unknown. */
type Descendants = { readonly older: Language; readonly younger: readonly Language[] } | { readonly problem: string }

/**
 * The older languages of a list with their descendants: as the user says, `OLDER` or `OLDER=YOUNGER,GROUP`; else each that is called
 * Proto-... or `*...`, by the groups of the others. Nothing is guessed from words such as "Old".
 */
function descents(languages: readonly Language[], named: readonly string[]): readonly Descendants[] {
  const said = named.length > 0 ? named : languages.filter(isProto).map(({ id }) => id)
  if (said.length === 0)
    return [
      {
        problem: `no language is called Proto-... or *...: name the one that the others descend from, --ancestor NAME. There are ${listed(languages)}`,
      },
    ]
  const olders = said.map((text) => languageOf(text.split('=', 1)[0] ?? '', languages))
  return said.map((text, k): Descendants => {
    const older = olders[k]
    if (older === undefined) return { problem: noLanguage(text.split('=', 1)[0] ?? '', languages) }
    const list = text.slice(text.indexOf('=') + 1).split(',')
    const others = languages.filter((one) => one !== older)
    if (text.includes('=')) {
      const found = list.map((name) => {
        const one = languageOf(name, others)
        return one === undefined ? inGroup(name, others) : [one]
      })
      const unknown = found.findIndex((some) => some.length === 0)
      return unknown === -1 ? { older, younger: found.flat() } : { problem: noLanguage(list[unknown] ?? '', languages) }
    }
    const related = [older.name, older.glottologName ?? ''].flatMap((name) => inGroup(name, others))
    if (related.length > 0) return { older, younger: [...new Set(related)] }
    const rest = others.filter((one) => !olders.includes(one) && !isProto(one))
    const groups = new Set(rest.map((one) => one.groups.join('/')))
    const isAll = groups.size === 1 && (named.length > 0 || (groups.has('') && older.glottologName === null))
    if (said.length === 1 && isAll) return { older, younger: rest }
    const group = older.groups.at(-1)
    const near = group === undefined ? rest : inGroup(group, rest)
    const ways = [
      ...(said.length === 1 && groups.size === 1 ? [`--ancestor "${older.name}" if all others do`] : []),
      `--ancestor "${older.name}=A,B,..." with names or groups`,
      ...(near.length > 0 && group !== undefined ? [`"${older.name}=${group}" for ${listed(near)}`] : []),
    ]
    return { problem: `the list does not say which languages descend from ${older.name}: ${ways.join('; ')}` }
  })
}

const languageOf = (said: string, languages: readonly Language[]): Language | undefined => {
  const wanted = said.trim().toLowerCase()
  return languages.find(({ id, name }) => id.toLowerCase() === wanted || name.toLowerCase() === wanted)
}

/** Languages of a group, which is called as its older language is without Proto-. */
const inGroup = (name: string, languages: readonly Language[]): readonly Language[] =>
  plainName(name) === ''
    ? []
    : languages.filter(
        (one) =>
          one.groups.some((group) => plainName(group) === plainName(name)) && plainName(one.name) !== plainName(name),
      )

const noLanguage = (said: string, languages: readonly Language[]): string =>
  `no language "${said.trim()}" in the list${hint(
    said,
    languages.map(({ name }) => name),
  )}; there are ${listed(languages)}`

const MAX_NAMES = 40
const listed = (languages: readonly Language[]): string =>
  [...languages.slice(0, MAX_NAMES).map(({ name }) => name), ...(languages.length > MAX_NAMES ? ['...'] : [])].join(
    ', ',
  )

const nameText = (name: string): string => name.replaceAll(/[^\p{L}\p{N} .'()-]/gu, '').slice(0, 60)

/** Every older language with each of its descendants, as items: one word in three is kept for the score. */
export function* itemsOf(
  { path, languages, forms, source, licence }: WordList,
  ancestors: readonly string[],
): Generator<Imported> {
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
  const wordsOf = (language: string): readonly WordForm[] =>
    (byLanguage.get(language) ?? []).filter(({ cognates }) => judged.length === 0 || cognates !== null)
  for (const descent of descents(languages, ancestors)) {
    if ('problem' in descent) {
      yield importProblem('no-older-language', path, null, descent.problem)
      continue
    }
    for (const { id, name: younger } of descent.younger) {
      const older = descent.older.name
      const pairs = pairsOf(wordsOf(descent.older.id), wordsOf(id))
      if (pairs.length < MIN)
        yield importProblem(
          'few-words',
          path,
          null,
          `${older} and ${younger} share ${pairs.length} words, ${MIN} are wanted`,
        )
      else yield* pairItems({ path, older, younger, pairs, source: source ?? path, licence: licence ?? 'not said' })
    }
  }
}

/** Words of one language, and what became of them in another. */
interface WordPairs {
  readonly path: string
  readonly older: string
  readonly younger: string
  readonly pairs: readonly Descent[]
  readonly source: string
  readonly licence: string
}

/** Word pairs as items of about the same size, no word omitted: one in three is kept for the score. */
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
    limits: { laws: MAX_LAWS, loans: true },
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

/** Laws by which linguistics explains the words of a language, in the order in which they must have run. */
interface KnownLaws {
  /** The older language, as word lists name it: in small letters, without `Proto-`. */
  readonly older: readonly string[]
  readonly younger: string
  readonly laws: readonly string[]
  /** Which laws must precede others, and why; the chronology of the rest is unknown. */
  readonly order: string
  readonly source: string
}

/**
 * Facts of published reconstructions, the consonants of Proto-Polynesian in five languages. What happened to single words, to vowels and their length
 * is not of them: they explain two words in three.
 */
export const knownLaws: readonly KnownLaws[] = known

const plain = (name: string): string => name.toLowerCase().replace(/^(?:\*|proto-?\s*)/u, '')

/** The known laws of a younger language; empty: none are known here. */
function lawsKnown(older: string, younger: string): readonly string[] {
  const found = knownLaws.find((one) => plain(younger).startsWith(one.younger) && one.older.includes(plain(older)))
  return found?.laws ?? []
}
