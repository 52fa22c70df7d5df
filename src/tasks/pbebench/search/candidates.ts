import { below, type Stream, shuffle } from '../../../core/index.ts'
import type { Rule } from '../../../rewriting/index.ts'
import type { Explanation, Gap } from './explain.ts'
import type { Workshop } from './workshop.ts'

/** Rules that are tried in one state. */
const MOST = 24
/** With fewer candidates than this, rules that help a single pair are tried too. */
const FEW = 8

export interface Candidate {
  readonly rule: Rule
  /** Pairs whose best path uses it. */
  readonly uses: number
}

/**
 * Rules worth trying: those in use first, then those that could help two pairs at least; for a right side that is too
 * long for one rule, the rules that write a part of it from a letter that stands nowhere.
 */
export function candidates(
  shop: Workshop,
  gap: Gap,
  known: Explanation,
  letters: string,
  stream: Stream,
): readonly Candidate[] {
  const { pieces, side } = shop
  const [words, outputs] = [gap.words.join('\n'), gap.outputs.join('\n')]
  const scored: { rule: Rule; uses: number; score: number }[] = []
  for (const id of known.possible) {
    const could = shop.countOf(id)
    const uses = known.used.get(id) ?? 0
    if (uses === 0 && could < 2) continue
    const [left, right] = [pieces.left[id] as string, pieces.right[id] as string]
    if (right.length > side) continue
    const against = Math.min(Math.max(0, places(words, left) - could), places(outputs, left))
    if (uses === 0 && against >= could) continue
    scored.push({ rule: [left, right], uses, score: 2 * uses + could / (1 + against) })
  }
  // Few pairs are left: also what helps one of them and touches no other word.
  if (scored.length < FEW)
    for (const id of known.possible) {
      const [left, right] = [pieces.left[id] as string, pieces.right[id] as string]
      if (right.length > side || shop.countOf(id) > 1 || known.used.has(id) || places(words, left) > 1) continue
      scored.push({ rule: [left, right], uses: 0, score: left.length / 100 })
    }
  // A stable sort over an insertion order that depends on nothing but the words.
  scored.sort((a, b) => b.score - a.score)
  const out: Candidate[] = scored.slice(0, MOST)
  const [spare] = spares(words, outputs, letters, stream)
  if (spare === undefined) return out
  const parts = new Set<string>()
  for (const id of known.used.keys()) {
    const right = pieces.right[id] as string
    if (right.length > side) for (let at = 0; at + side <= right.length; at++) parts.add(right.slice(at, at + side))
  }
  for (const part of [...parts].slice(0, 12)) out.push({ rule: [spare, part], uses: 1 })
  return out
}

function places(corpus: string, part: string): number {
  let count = 0
  for (let at = corpus.indexOf(part); at !== -1; at = corpus.indexOf(part, at + 1)) count++
  return count
}

/** A letter that stands in no word or output, or else a pair of letters. */
function spares(words: string, outputs: string, letters: string, stream: Stream): string[] {
  const absent = (text: string) => !words.includes(text) && !outputs.includes(text)
  const single = [...letters].filter(absent)
  if (single.length > 0) return shuffle(stream, single)
  for (let tries = 0; tries < 12; tries++) {
    const pair = (letters[below(stream, letters.length)] as string) + (letters[below(stream, letters.length)] as string)
    if (absent(pair)) return [pair]
  }
  return []
}

/**
 * Longer rules for when every candidate does damage: unused pieces that stand in no other place, whose left side holds
 * that of a rule in use.
 */
export function longer(shop: Workshop, gap: Gap, known: Explanation): readonly Candidate[] {
  const { pieces, side } = shop
  const words = gap.words.join('\n')
  const short = [...known.used.keys()].map((id) => pieces.left[id] as string)
  const out: Candidate[] = []
  for (const id of known.possible) {
    const [left, right] = [pieces.left[id] as string, pieces.right[id] as string]
    if (right.length > side || known.used.has(id) || left.length < 2 || places(words, left) > shop.countOf(id)) continue
    if (short.some((part) => part.length < left.length && left.includes(part)))
      out.push({ rule: [left, right], uses: 1 })
    if (out.length >= MOST) break
  }
  return out
}
