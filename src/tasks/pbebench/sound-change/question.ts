import { canonicalJson, sha256Hex } from '../../../core/index.ts'
import { type Word, wordOf } from '../../../libraries/rewriting/sounds/index.ts'

/** A word of the older language and what it became in each younger one; sounds stand between blanks, null: no word is known. */
export interface Descent {
  readonly [key: string]: string | readonly (string | null)[]
  readonly older: string
  readonly younger: readonly (string | null)[]
}

/** The question: which laws turned the older words into the younger ones? */
export interface Given {
  readonly [key: string]: string | readonly string[] | readonly Descent[] | Limits
  /** Names of the younger languages. */
  readonly languages: readonly string[]
  readonly words: readonly Descent[]
  /** Words on which an answer is tried; no prompt and no baseline reads them. */
  readonly unseen: readonly Descent[]
  readonly limits: Limits
}

interface Limits {
  readonly [key: string]: number | boolean
  /** Laws of one language at most; later ones are not read. */
  readonly laws: number
  /** Some words may be loans. */
  readonly loans?: true
}

/** The words whose form in a language is known: as they were, and as they are to become. */
export function pairsOf(
  words: readonly Descent[],
  language: number,
): { readonly older: readonly Word[]; readonly forms: readonly Word[] } {
  const known = words.filter(({ younger }) => (younger[language] ?? null) !== null)
  return {
    older: known.map(({ older }) => wordOf(older)),
    forms: known.map(({ younger }) => wordOf(younger[language] as string)),
  }
}

/** Laws by language, in the order in which they ran, as texts; empty in a target whose laws are unknown. */
export interface Answer {
  readonly [key: string]: readonly (readonly string[])[]
  readonly laws: readonly (readonly string[])[]
}

export const FENCE_DOMAIN = 'pbebench/lexicon'

/** Key of the split partition: the older words shown, in any order. */
export const partitionKey = (older: readonly string[]): string =>
  sha256Hex(canonicalJson(older.toSorted())).slice(0, 32)

/** Equal for questions that differ by the order of their words, or the names or order of their younger languages. */
export function contentOf({ words, languages }: Given): string {
  const columns = languages.map((_, k) =>
    canonicalJson(words.map(({ older, younger }) => `${older} > ${younger[k] ?? '?'}`).sort()),
  )
  return canonicalJson(columns.sort())
}
