import type { Grade } from '../../../core/index.ts'
import {
  applyLaw,
  applyLaws,
  historyOf,
  type Law,
  lawSize,
  pairOf,
  type Word,
  wordOf,
  wordText,
} from '../../../rewriting/sounds/index.ts'
import type { Answer, Descent, Given } from './question.ts'
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
  const { languages, words, unseen, limits } = given
  const laws = languages.map((_, k) => readLaws(answer.laws[k] ?? [], limits.laws))
  const said = answer.laws.reduce((sum, texts) => sum + texts.length, 0)
  const run = laws.reduce((sum, list) => sum + list.length, 0)
  const parts: Record<string, number> = {
    unchanged: shareRight(
      languages.map(() => []),
      unseen,
    ),
    shown: shareRight(laws, words),
    laws: run,
    unread: Math.max(0, said - run),
    size: sizeOf(laws),
    description: descriptionOf(laws, words),
  }
  const known = languages.map((_, k) => readLaws(truth.laws[k] ?? [], limits.laws))
  if (known.some((list) => list.length > 0)) {
    parts['descriptionKnown'] = descriptionOf(known, words)
    const all = [...words, ...unseen].map(({ older }) => wordOf(older))
    const compared = known.map((list, k) => compare(list, laws[k] ?? [], all))
    const total = known.reduce((sum, list) => sum + list.length, 0)
    const matched = compared.reduce((sum, { found }) => sum + found, 0)
    const [kept, pairs] = [sum(compared.map((one) => one.kept)), sum(compared.map((one) => one.pairs))]
    parts['found'] = matched / total
    parts['extra'] = run - matched
    if (pairs > 0) parts['order'] = kept / pairs
  }
  return { value: answer.laws.length === languages.length ? shareRight(laws, unseen) : 0, parts }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
const sizeOf = (laws: readonly (readonly Law[])[]): number => sum(laws.flat().map(lawSize))

interface Form {
  readonly made: string | null
  readonly wanted: string
}

/** Every younger form that is known, with what the laws make. */
const formsOf = (laws: readonly (readonly Law[])[], words: readonly Descent[]): readonly Form[] =>
  laws.flatMap((list, k) =>
    words.flatMap(({ older, younger }): readonly Form[] => {
      const wanted = younger[k] ?? null
      const made = applyLaws(list, wordOf(older))
      return wanted === null ? [] : [{ made: made === null ? null : wordText(made), wanted }]
    }),
  )

function shareRight(laws: readonly (readonly Law[])[], words: readonly Descent[]): number {
  const forms = formsOf(laws, words)
  return forms.filter(({ made, wanted }) => made === wanted).length / Math.max(1, forms.length)
}

const descriptionOf = (laws: readonly (readonly Law[])[], words: readonly Descent[]): number =>
  sizeOf(laws) + sum(formsOf(laws, words).map(({ made, wanted }) => (made === wanted ? 0 : wordOf(wanted).length + 1)))

/** Which known laws were found, and whether those that meet stand in the known order. */
function compare(known: readonly Law[], laws: readonly Law[], words: readonly Word[]) {
  const histories = words.map((word) => historyOf(known, word))
  const taken = new Set<number>()
  const at = known.map((_, k) => {
    const match = laws.findIndex((law, i) => !taken.has(i) && histories.every((states) => makes(law, states, k)))
    if (match !== -1) taken.add(match)
    return match
  })
  let [pairs, kept] = [0, 0]
  for (const [later, second] of at.entries())
    for (const [earlier, first] of at.slice(0, later).entries()) {
      if (first === -1 || second === -1) continue
      const { words: met } = pairOf(known, words, earlier, later)
      if (Object.values(met).every((count) => count === 0)) continue
      pairs++
      if (first < second) kept++
    }
  return { found: taken.size, pairs, kept }
}

/** Does a law make of a word, as it stood before the k-th known law, what that law made of it? */
function makes(law: Law, states: readonly (Word | null)[], k: number): boolean {
  const [before, after] = [states[k] ?? null, states[k + 1] ?? null]
  if (before === null || after === null) return true
  const made = applyLaw(law, before)
  return made !== null && wordText(made) === wordText(after)
}
