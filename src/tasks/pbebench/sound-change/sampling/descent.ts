import { below, between, pick, type Stream, shuffle } from '../../../../core/index.ts'
import {
  applyLaw,
  applyLaws,
  Derivations,
  type Interaction,
  printLaw,
  type SoundLaw,
  sameWord,
  soundOf,
  type Word,
  wordText,
} from '../../../../libraries/rewriting/sounds/index.ts'
import { naturalChanges } from './natural-laws.ts'

/** Requirements of a list of laws on the words shown. */
interface Wanted {
  readonly laws: number
  /** Words that each law changes, and that come out otherwise without it. */
  readonly changed: number
  /** Two laws with this relation in two words; null: any. */
  readonly interaction: Interaction | null
}

/** Maximum tries of natural changes per list. */
const TRIES = 60
/** Words in which a wanted interaction is to be seen. */
const SEEN = 2
/** A law that changes more of the words is no conditioned change. */
const MAX_CHANGED = 0.6
/** Changes of one kind that may follow one another. */
const MAX_IN_A_ROW = 2

/** Laws in their order; null: this attempt came to nothing. */
export function drawLaws(stream: Stream, words: readonly Word[], wanted: Wanted): readonly SoundLaw[] | null {
  const laws: SoundLaw[] = []
  const kinds: string[] = []
  const texts = new Set<string>()
  let now = words
  for (let tries = 0; laws.length < wanted.laws && tries < TRIES; tries++) {
    const { kind, changes } = pick(stream, naturalChanges)
    if (kinds.slice(-MAX_IN_A_ROW).filter((one) => one === kind).length === MAX_IN_A_ROW) continue
    // The first that finds words enough: rare kinds would hardly come, were only one of their changes tried.
    const found = firstThat(shuffle(stream, changes), (change) =>
      laws.length + change.laws.length > wanted.laws || change.laws.some((law) => texts.has(printLaw(law)))
        ? null
        : afterChange(change.laws, now, wanted.changed),
    )
    if (found === null) continue
    const [change, after] = found
    for (const law of change.laws) texts.add(printLaw(law))
    laws.push(...change.laws)
    kinds.push(kind)
    now = after
  }
  return laws.length === wanted.laws &&
    eachNeeded(laws, words, wanted.changed) &&
    shows(laws, words, wanted.interaction)
    ? laws
    : null
}

function firstThat<T, R>(list: readonly T[], of: (one: T) => R | null): readonly [T, R] | null {
  for (const one of list) {
    const result = of(one)
    if (result !== null) return [one, result]
  }
  return null
}

/** Words after a chain of laws; null where one changes too few or too many, or leaves a word without a second sound. */
function afterChange(laws: readonly SoundLaw[], words: readonly Word[], least: number): readonly Word[] | null {
  let now = words
  for (const law of laws) {
    let count = 0
    const out: Word[] = []
    for (const word of now) {
      const after = applyLaw(law, word)
      if (after === null || after.length < 2) return null
      if (wordText(after) !== wordText(word)) count++
      out.push(after)
    }
    if (count < least || count > MAX_CHANGED * words.length) return null
    now = out
  }
  return now
}

/** Does every law leave its trace in as many words? */
function eachNeeded(laws: readonly SoundLaw[], words: readonly Word[], least: number): boolean {
  const outcomes = outcomesOf(laws, words)
  return laws.every((_, k) => {
    const without = outcomesOf(laws.toSpliced(k, 1), words)
    return without.filter((word, i) => word !== outcomes[i]).length >= least
  })
}

const outcomesOf = (laws: readonly SoundLaw[], words: readonly Word[]): readonly string[] =>
  words.map((word) => wordText(applyLaws(laws, word) ?? []))

function shows(laws: readonly SoundLaw[], words: readonly Word[], interaction: Interaction | null): boolean {
  if (interaction === null) return true
  const derivations = new Derivations(laws, words)
  return laws.some((_, later) =>
    laws.slice(0, later).some((_, earlier) => derivations.pair(earlier, later).words[interaction] >= SEEN),
  )
}

/** Laws that only the sister language has. */
const SISTER_LAWS = [3, 5] as const
const SISTER_TRIES = 60

/**
 * Loans among the words of a language: each came out of the same ancestor in a sister language, which shares the first
 * laws and has others of its own, and was borrowed early enough for the last laws of the borrower. Sounds that the
 * borrower lacks became the nearest it has. By position in the list of words; null: no sister gives so many forms that
 * differ from the inherited ones.
 */
export function drawLoans(
  stream: Stream,
  words: readonly Word[],
  laws: readonly SoundLaw[],
  count: number,
): ReadonlyMap<number, Word> | null {
  if (count === 0) return new Map()
  const inherited = words.map((word) => applyLaws(laws, word) ?? [])
  const sounds = new Set(inherited.flat())
  for (let tries = 0; tries < SISTER_TRIES; tries++) {
    const shared = laws.slice(0, below(stream, laws.length))
    const branch = words.map((word) => applyLaws(shared, word) ?? [])
    const own = drawLaws(stream, branch, { laws: between(stream, ...SISTER_LAWS), changed: 1, interaction: null })
    if (own === null) continue
    const later = laws.slice(between(stream, shared.length, laws.length))
    const borrowed = branch.map((word) =>
      (applyLaws(later, adapted(applyLaws(own, word) ?? [], sounds)) ?? []).map((sound) => nearest(sound, sounds)),
    )
    const telling = [...words.keys()].filter(
      (i) => (borrowed[i] as Word).length > 1 && !sameWord(borrowed[i] as Word, inherited[i] as Word),
    )
    if (telling.length < count) continue
    return new Map(
      shuffle(stream, telling)
        .slice(0, count)
        .map((i) => [i, borrowed[i] as Word]),
    )
  }
  return null
}

const adapted = (word: Word, sounds: ReadonlySet<string>): Word => word.map((sound) => nearest(sound, sounds))

/** The sound of a language that shares most terms with this one; of equals the first in the order of their symbols. */
function nearest(sound: string, sounds: ReadonlySet<string>): string {
  if (sounds.has(sound)) return sound
  const { terms } = soundOf(sound)
  const common = (other: string): number => {
    const theirs = new Set(soundOf(other).terms)
    return [...terms].filter((term) => theirs.has(term)).length
  }
  return [...sounds].sort((a, b) => common(b) - common(a) || (a < b ? -1 : 1))[0] ?? sound
}
