import { type Grade, memoize } from '../../../../core/index.ts'
import {
  applyLaw,
  applyLaws,
  Derivations,
  lawSize,
  type SoundLaw,
  sameWord,
  type Word,
  wordOf,
} from '../../../../libraries/rewriting/sounds/index.ts'
import type { Answer, Descent, Given } from '../question.ts'
import { readLaws } from './read-laws.ts'

/**
 * Tries the laws on words that were not shown: the value is the share of their younger forms that come out, over all languages.
 * Parts:
 * - `shown`: the same share of the words shown; `unchanged`: the share of unseen forms that no law at all would give;
 * - `laws`: laws run, `unread`: laws that cannot be run or are beyond the limit; `size`: sounds, terms and edges of the laws run;
 * - `description`: `size`, and for each form shown that does not come out, its sounds and one more: what it takes to write the
 *   forms down with these laws. `descriptionKnown`: the same with the laws of the truth;
 * - `found`: the share of the known laws with a law of the answer that makes the same of all words as they stood then, each answer law
 *   counting once; `extra`: laws of the answer that match none;
 * - `order`: of the pairs of known laws that meet in the words and were both found, the share in the known order. Absent where
 *   there is no such pair; the four last parts are absent where no laws are known.
 */
export function grade(given: Given, truth: Answer, answer: Answer): Grade {
  const { words, unseen, limits } = formsOf(given)
  const laws = given.languages.map((_, k) => readLaws(answer.laws[k] ?? [], limits.laws))
  const said = answer.laws.reduce((sum, texts) => sum + texts.length, 0)
  const run = laws.reduce((sum, list) => sum + list.length, 0)
  const shown = tried(laws, words)
  const parts: Record<string, number> = {
    unchanged: shareRight(unseen.map(({ older, wanted }) => sameWord(older, wanted))),
    shown: shareRight(shown),
    laws: run,
    unread: Math.max(0, said - run),
    size: sizeOf(laws),
    description: sizeOf(laws) + patches(words, shown),
  }
  const known = knownOf(given)(truth)
  if (known !== null) {
    parts['descriptionKnown'] = known.description
    const compared = known.languages.map((language, k) => compare(language, laws[k] ?? []))
    const matched = sum(compared.map((one) => one.found))
    const [kept, pairs] = [sum(compared.map((one) => one.kept)), sum(compared.map((one) => one.pairs))]
    parts['found'] = matched / sum(known.languages.map((language) => language.laws.length))
    parts['extra'] = run - matched
    if (pairs > 0) parts['order'] = kept / pairs
  }
  return { value: answer.laws.length === given.languages.length ? shareRight(tried(laws, unseen)) : 0, parts }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
const sizeOf = (laws: readonly (readonly SoundLaw[])[]): number => sum(laws.flat().map(lawSize))

/** A younger form that is known, and the word that it came of. */
interface Form {
  readonly language: number
  readonly older: Word
  readonly wanted: Word
}

const formsOf = memoize(({ languages, words, unseen, limits }: Given) => {
  const of = (descents: readonly Descent[]): readonly Form[] =>
    languages.flatMap((_, language) =>
      descents.flatMap(({ older, younger }): readonly Form[] => {
        const wanted = younger[language] ?? null
        return wanted === null ? [] : [{ language, older: wordOf(older), wanted: wordOf(wanted) }]
      }),
    )
  return { words: of(words), unseen: of(unseen), limits }
})

/** Form by form: do the laws make it? */
const tried = (laws: readonly (readonly SoundLaw[])[], forms: readonly Form[]): readonly boolean[] =>
  forms.map(({ language, older, wanted }) => {
    const made = applyLaws(laws[language] ?? [], older)
    return made !== null && sameWord(made, wanted)
  })

const shareRight = (right: readonly boolean[]): number => right.filter(Boolean).length / Math.max(1, right.length)

/** What it takes to write down the forms that the laws leave wrong. */
const patches = (forms: readonly Form[], right: readonly boolean[]): number =>
  sum(forms.map(({ wanted }, i) => (right[i] === true ? 0 : wanted.length + 1)))

/** The known laws of a language on their way through all words of the item. */
interface Known {
  readonly laws: readonly SoundLaw[]
  readonly derivations: Derivations
  /** By law, words as they stood before and stand after it: those first that it changes, by which most other laws are told from it. */
  readonly steps: readonly (readonly (readonly [before: Word, after: Word])[])[]
  /** Of pairs of laws that were asked about, by their numbers: do they meet in the words? */
  readonly meetings: Map<number, boolean>
}

/** What is known of an item, worked out once for all of its answers; null: no law is known. */
const knownOf = memoize((given: Given) =>
  memoize((truth: Answer): { readonly languages: readonly Known[]; readonly description: number } | null => {
    const laws = given.languages.map((_, k) => readLaws(truth.laws[k] ?? [], given.limits.laws))
    if (laws.every((list) => list.length === 0)) return null
    const all = [...given.words, ...given.unseen].map(({ older }) => wordOf(older))
    const { words } = formsOf(given)
    return {
      languages: laws.map((list) => languageOf(list, all)),
      description: sizeOf(laws) + patches(words, tried(laws, words)),
    }
  }),
)

function languageOf(laws: readonly SoundLaw[], words: readonly Word[]): Known {
  const derivations = new Derivations(laws, words)
  const steps = laws.map((_, k) => {
    const all = derivations.histories.flatMap((states): readonly (readonly [Word, Word])[] => {
      const [before, after] = [states[k] ?? null, states[k + 1] ?? null]
      return before === null || after === null ? [] : [[before, after]]
    })
    return all.toSorted((a, b) => Number(sameWord(...a)) - Number(sameWord(...b)))
  })
  return { laws, derivations, steps, meetings: new Map() }
}

function meet({ laws, derivations, meetings }: Known, earlier: number, later: number): boolean {
  const key = later * laws.length + earlier
  const known = meetings.get(key) ?? derivations.meet(earlier, later)
  meetings.set(key, known)
  return known
}

/** Which known laws were found, and whether those that meet stand in the known order. */
function compare(known: Known, laws: readonly SoundLaw[]) {
  const taken = new Set<number>()
  const at = known.laws.map((_, k) => {
    const match = laws.findIndex((law, i) => !taken.has(i) && isFound(known, k, law))
    if (match !== -1) taken.add(match)
    return match
  })
  let [pairs, kept] = [0, 0]
  for (const [later, second] of at.entries())
    for (const [earlier, first] of at.slice(0, later).entries()) {
      if (first === -1 || second === -1 || !meet(known, earlier, later)) continue
      pairs++
      if (first < second) kept++
    }
  return { found: taken.size, pairs, kept }
}

/** Does a law make of every word, as it stood before the k-th known law, what that law made of it? */
const isFound = ({ steps }: Known, k: number, law: SoundLaw): boolean =>
  (steps[k] ?? []).every(([before, after]) => {
    const made = applyLaw(law, before)
    return made !== null && sameWord(made, after)
  })
