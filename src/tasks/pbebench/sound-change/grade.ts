import { type Grade, memoize } from '../../../core/index.ts'
import {
  applyLaw,
  applyLaws,
  Derivations,
  lawSize,
  type SoundLaw,
  sameWord,
  type Word,
  wordOf,
} from '../../../libraries/rewriting/sounds/index.ts'
import { sum } from '../../../libraries/statistics/index.ts'
import { inductionParts } from '../held-out.ts'
import { readLaws } from './parsers.ts'
import { type Answer, type Descent, type Given, pairsOf } from './question.ts'

/**
 * Runs the laws on held-out words: the score is the share of correct younger forms, over all languages. Subscores:
 * - `shown`: the same share of the words shown; `unchanged`: the share of held-out forms that are correct without laws;
 * - `extensional`: the share of the changed forms shown that are correct, `intensional`: the same of held-out forms, `gap`:
 *   their difference, `specificity`: the share of held-out forms that do not change and are left alone;
 * - `laws`: laws run, `unread`: laws that cannot be run or are beyond the limit; `size`: sounds, terms and edges of the
 *   laws run;
 * - `description`: `size`, plus the sounds and one more of each wrong form shown: the description length of the forms.
 *   `descriptionKnown`: the same with the true laws;
 * - `found`: the share of the known laws matched by a law of the answer that changes all words alike, each counted
 *   once; `extra`: laws of the answer that match none;
 * - `order`: of the pairs of known laws that interact in the words and were both found, the share in the known order,
 *   absent without such a pair; the last four are absent where no laws are known.
 */
export function grade(given: Given, truth: Answer, answer: Answer): Grade {
  const { words, unseen, limits } = formsOf(given)
  const laws = given.languages.map((_, k) => readLaws(answer.laws[k] ?? [], limits.laws))
  const lawCount = answer.laws.reduce((sum, texts) => sum + texts.length, 0)
  const run = laws.reduce((sum, list) => sum + list.length, 0)
  const shown = tried(laws, words)
  const parts: Record<string, number> = {
    unchanged: shareRight(unseen.map(({ older, wanted }) => sameWord(older, wanted))),
    shown: shareRight(shown),
    ...inductionOf(words, shown, unseen, tried(laws, unseen)),
    laws: run,
    unread: Math.max(0, lawCount - run),
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

const sizeOf = (laws: readonly (readonly SoundLaw[])[]): number => sum(laws.flat().map(lawSize))

/** A younger form that is known, and the word that it came of. */
interface Form {
  readonly language: number
  readonly older: Word
  readonly wanted: Word
}

const formsOf = memoize(({ languages, words, unseen, limits }: Given) => {
  const of = (descents: readonly Descent[]): readonly Form[] =>
    languages.flatMap((_, language) => {
      const { older, forms } = pairsOf(descents, language)
      return older.map((word, i) => ({ language, older: word, wanted: forms[i] as Word }))
    })
  return { words: of(words), unseen: of(unseen), limits }
})

/** Form by form: do the laws make it? */
const tried = (laws: readonly (readonly SoundLaw[])[], forms: readonly Form[]): readonly boolean[] =>
  forms.map(({ language, older, wanted }) => {
    const made = applyLaws(laws[language] ?? [], older)
    return made !== null && sameWord(made, wanted)
  })

const shareRight = (right: readonly boolean[]): number => right.filter(Boolean).length / Math.max(1, right.length)

/** What the laws earn on the forms that change, shown and held out; a share without forms is absent. */
function inductionOf(
  shown: readonly Form[],
  shownRight: readonly boolean[],
  unseen: readonly Form[],
  unseenRight: readonly boolean[],
): { readonly [part: string]: number } {
  const share = (forms: readonly Form[], right: readonly boolean[], isChanged: boolean): number | null => {
    const own = right.filter((_, i) => sameWord(forms[i]?.older ?? [], forms[i]?.wanted ?? []) !== isChanged)
    return own.length === 0 ? null : shareRight(own)
  }
  return inductionParts(
    share(shown, shownRight, true),
    share(unseen, unseenRight, true),
    share(unseen, unseenRight, false),
  )
}

/** What it takes to write down the forms that the laws leave wrong. */
const patches = (forms: readonly Form[], right: readonly boolean[]): number =>
  sum(forms.map(({ wanted }, i) => (right[i] === true ? 0 : wanted.length + 1)))

/** The known laws of a language on their way through all words of the item. */
interface KnownLaws {
  readonly laws: readonly SoundLaw[]
  readonly derivations: Derivations
  /** By law, words before and after it, those that it changes first. */
  readonly steps: readonly (readonly (readonly [before: Word, after: Word])[])[]
}

/** What is known of an item, worked out once for all of its answers; null: no law is known. */
const knownOf = memoize((given: Given) =>
  memoize((truth: Answer): { readonly languages: readonly KnownLaws[]; readonly description: number } | null => {
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

function languageOf(laws: readonly SoundLaw[], words: readonly Word[]): KnownLaws {
  const derivations = new Derivations(laws, words)
  const steps = laws.map((_, k) => {
    const all = derivations.histories.flatMap((states): readonly (readonly [Word, Word])[] => {
      const [before, after] = [states[k] ?? null, states[k + 1] ?? null]
      return before === null || after === null ? [] : [[before, after]]
    })
    return all.toSorted((a, b) => Number(sameWord(...a)) - Number(sameWord(...b)))
  })
  return { laws, derivations, steps }
}

/** Which known laws were found, and whether those that meet stand in the known order. */
function compare(known: KnownLaws, laws: readonly SoundLaw[]) {
  const taken = new Set<number>()
  const at = known.laws.map((_, k) => {
    const match = laws.findIndex((law, i) => !taken.has(i) && isFound(known, k, law))
    if (match !== -1) taken.add(match)
    return match
  })
  let [pairs, kept] = [0, 0]
  for (const [later, second] of at.entries())
    for (const [earlier, first] of at.slice(0, later).entries()) {
      if (first === -1 || second === -1 || !known.derivations.meet(earlier, later)) continue
      pairs++
      if (first < second) kept++
    }
  return { found: taken.size, pairs, kept }
}

/** Does a law make of every word, as it stood before the k-th known law, what that law made of it? */
const isFound = ({ steps }: KnownLaws, k: number, law: SoundLaw): boolean =>
  (steps[k] ?? []).every(([before, after]) => {
    const made = applyLaw(law, before)
    return made !== null && sameWord(made, after)
  })
