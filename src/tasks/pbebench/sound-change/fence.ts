import { canonicalJson, sha256Hex } from '../../../core/index.ts'
import type { Given } from './question.ts'

export const FENCE_DOMAIN = 'pbebench/lexicon'

/** The older words shown, whatever their order: no list of them is in two splits. */
export const fenceKey = (older: readonly string[]): string =>
  sha256Hex(canonicalJson(older.toSorted((a, b) => (a < b ? -1 : 1)))).slice(0, 32)

/** Equal for questions that differ by the order of their words, or the names or order of their younger languages. */
export function contentOf({ words, languages }: Given): string {
  const columns = languages.map((_, k) =>
    canonicalJson(
      words.map(({ older, younger }) => `${older} > ${younger[k] ?? '?'}`).sort((a, b) => (a < b ? -1 : 1)),
    ),
  )
  return canonicalJson(columns.sort((a, b) => (a < b ? -1 : 1)))
}
