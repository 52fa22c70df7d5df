import { canonicalJson } from '../../../core/canonical-json.ts'
import { sha256Hex } from '../../../core/hash.ts'

/** The names of a story, as 32 hex digits: they say which split may hold it. */
export const fenceKey = (names: readonly string[]): string => sha256Hex(canonicalJson([...names].sort())).slice(0, 32)
