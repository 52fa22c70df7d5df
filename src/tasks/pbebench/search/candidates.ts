import { below, type Stream, shuffle } from '../../../core/index.ts'
import { countOverlapping } from '../../../libraries/rewriting/index.ts'
import type { Explanation } from './explain.ts'
import type { SearchTables } from './search-tables.ts'

/** Rules that are tried in one state. */
const MAX = 24
/** With fewer candidates than this, rules that help a single pair are tried too. */
const FEW = 8
/** Rules that write a part of a long right side. */
const PARTS = 12

export interface Candidate {
  /** The rule as a piece. */
  readonly id: number
  /** Pairs whose best path uses it. */
  readonly uses: number
}

/**
 * Rules worth trying: those in use first, then those that could help two pairs at least; for a right side that is too
 * long for one rule, the rules that write a part of it from a letter that stands nowhere.
 */
export function candidates(
  tables: SearchTables,
  known: Explanation,
  letters: string,
  stream: Stream,
): readonly Candidate[] {
  const { pieces, side } = tables
  const [words, outputs] = [joined(tables, known.words), joined(tables, known.outputs)]
  const scored: { id: number; uses: number; score: number }[] = []
  for (const id of known.possible) {
    const could = known.countOf(id)
    if (could === 0) continue
    const uses = known.used.get(id) ?? 0
    if (uses === 0 && could < 2) continue
    if (pieces.right(id).length > side) continue
    const against = known.against(id)
    if (uses === 0 && against >= could) continue
    scored.push({ id, uses, score: 2 * uses + could / (1 + against) })
  }
  // Few pairs are left: also what helps one of them and touches no other word.
  if (scored.length < FEW)
    for (const id of known.possible) {
      const could = known.countOf(id)
      if (could === 0) continue
      const [left, right] = [pieces.left(id), pieces.right(id)]
      if (right.length > side || could > 1 || known.used.has(id) || countOverlapping(words, left) > 1) continue
      scored.push({ id, uses: 0, score: left.length / 100 })
    }
  // A stable sort over an insertion order that depends on nothing but the words.
  scored.sort((a, b) => b.score - a.score)
  const out: Candidate[] = scored.slice(0, MAX)
  const spare = spares(words, outputs, letters, stream)
  if (spare === null) return out
  const parts = new Set<string>()
  for (const id of known.used.keys()) {
    const right = pieces.right(id)
    if (right.length > side) for (let at = 0; at + side <= right.length; at++) parts.add(right.slice(at, at + side))
  }
  for (const part of [...parts].slice(0, PARTS)) out.push({ id: pieces.id(spare, part), uses: 1 })
  return out
}

const joined = ({ words }: SearchTables, ids: readonly number[]): string => ids.map((id) => words.texts[id]).join('\n')

/** A letter that stands in no word or output, or else a pair of letters. */
function spares(words: string, outputs: string, letters: string, stream: Stream): string | null {
  const absent = (text: string) => !words.includes(text) && !outputs.includes(text)
  const single = [...letters].filter(absent)
  if (single.length > 0) return shuffle(stream, single)[0] as string
  for (let tries = 0; tries < 12; tries++) {
    const pair = (letters[below(stream, letters.length)] as string) + (letters[below(stream, letters.length)] as string)
    if (absent(pair)) return pair
  }
  return null
}

/**
 * Longer rules for when every candidate does damage: unused pieces that stand in no other place, whose left side holds
 * that of a rule in use.
 */
export function longer(tables: SearchTables, known: Explanation): readonly Candidate[] {
  const { pieces, side } = tables
  const words = joined(tables, known.words)
  const short = [...known.used.keys()].map((id) => pieces.left(id))
  const out: Candidate[] = []
  for (const id of known.possible) {
    const could = known.countOf(id)
    if (could === 0) continue
    const [left, right] = [pieces.left(id), pieces.right(id)]
    if (right.length > side || known.used.has(id) || left.length < 2 || countOverlapping(words, left) > could) continue
    if (short.some((part) => part.length < left.length && left.includes(part))) out.push({ id, uses: 1 })
    if (out.length >= MAX) break
  }
  return out
}
