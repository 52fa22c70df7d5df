import { canonicalJson } from '../../../core/canonical-json.ts'
import { sha256Hex } from '../../../core/hash.ts'
import type { Given } from './question.ts'

/** What is shown, whatever its order, as 32 hex digits. */
export const fenceKey = (given: Given): string => sha256Hex(contentOf(given)).slice(0, 32)

/** Names and order are not content. */
export const contentOf = (given: Given): string =>
  given.kind === 'published'
    ? canonicalJson([given.prompt])
    : canonicalJson(given.trains.map((train, i) => canonicalJson([train, given.east[i] === true])).sort())
