import { below, float, type Stream, shuffle } from '../../../core/index.ts'
import { countOverlapping, type Rule } from '../../../libraries/rewriting/index.ts'
import { Explanation, type Gap, type State } from './explain.ts'
import { holding, type Move, type Moves, moveAt, stateAfter } from './moves.ts'
import type { Meter } from './problem.ts'
import type { SearchTables } from './search-tables.ts'

interface BidirectionalOptions {
  /** Give up where more rules than this would be needed. */
  readonly most: number
  readonly letters: string
  /** 0: the same every time; otherwise how far weights and gains are blurred. */
  readonly noise: number
}

/** Moves that are evaluated in full before one is chosen: the gain under old weights is only an estimate. */
const LOOK = 6

/**
 * One greedy run from both ends: rules are applied to the words or undone on the outputs, whichever brings the two
 * closer, until they meet. Returns the cascade in order, or null.
 */
export function bidirectional(
  tables: SearchTables,
  start: Gap,
  options: BidirectionalOptions,
  stream: Stream,
  meter: Meter,
): Rule[] | null {
  // Nothing can be written from an empty word.
  if (start.words.some((word, i) => word === '' && start.outputs[i] !== '')) return null
  tables.tidy()
  const known = new Explanation(tables, start, options.noise, stream)
  const rules = follow(tables, known, options, stream, meter)
  known.close()
  return rules
}

function follow(
  tables: SearchTables,
  known: Explanation,
  options: BidirectionalOptions,
  stream: Stream,
  meter: Meter,
): Rule[] | null {
  const { most, noise } = options
  const [first, last]: [Rule[], Rule[]] = [[], []]
  let state: State = { words: [...known.words], outputs: [...known.outputs] }
  const seen = [state]
  let kept: Moves = new Map()
  while (!meter.spent) {
    meter.step()
    if (known.unsolved === 0) return [...first, ...last.reverse()]
    const done = first.length + last.length
    if (done >= most || done + 0.9 * known.used.size > most + 0.5) return null
    const near: { move: Move; state: State; cost: number }[] = []
    for (const move of ranked(tables, known, kept, options, stream, meter)) {
      const next = stateAfter(state, move)
      if (seen.some((other) => same(other, next))) continue
      if (meter.spent) return null
      meter.step()
      known.become(next)
      const cost = known.cost + noise * 0.3 * float(stream)
      near.push({ move, state: next, cost })
      if (near.length === LOOK) break
    }
    const best = near.reduce<(typeof near)[number] | null>((a, b) => (a === null || b.cost < a.cost ? b : a), null)
    if (best === null) return null
    const rule = tables.rewrites.ruleOf(best.move.piece)
    if (best.move.forward) first.push(rule)
    else last.push(rule)
    state = best.state
    known.become(state)
    kept = holding(tables, known, kept, best.move.indices)
    seen.push(state)
  }
  return null
}

const same = (a: State, b: State): boolean =>
  a.words.every((word, i) => word === b.words[i] && a.outputs[i] === b.outputs[i])

/** The moves of a state, best first. */
function ranked(
  tables: SearchTables,
  known: Explanation,
  kept: Moves,
  { letters, noise }: BidirectionalOptions,
  stream: Stream,
  meter: Meter,
): readonly Move[] {
  const out: { move: Move; value: number }[] = []
  const consider = (key: number, uses: number): void => {
    if (meter.spent) return
    const move = moveAt(tables, known, kept, key, meter)
    if (move.gain === Number.NEGATIVE_INFINITY) return
    out.push({ move, value: move.gain + 0.03 * Math.min(uses, 6) + noise * 0.15 * float(stream) })
  }
  const tryAll = (list: readonly Candidate[], both: boolean): void => {
    for (const { id, uses } of list) {
      if (both) consider(-id, uses)
      consider(id, uses)
    }
  }
  tryAll(candidates(tables, known, letters, stream), true)
  if (out.every(({ value }) => value < -0.25)) tryAll(longer(tables, known), false)
  return out.sort((a, b) => b.value - a.value).map(({ move }) => move)
}

/** Rules that are tried in one state. */
const MAX = 24
/** With fewer candidates than this, rules that help a single pair are tried too. */
const FEW = 8
/** Rules that write a part of a long right side. */
const PARTS = 12

interface Candidate {
  /** The rule as a piece. */
  readonly id: number
  /** Pairs whose best path uses it. */
  readonly uses: number
}

/**
 * Rules worth trying: those in use first, then those that could help two pairs at least; for a right side that is too
 * long for one rule, the rules that write a part of it from a letter that stands nowhere.
 */
function candidates(tables: SearchTables, known: Explanation, letters: string, stream: Stream): readonly Candidate[] {
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
function longer(tables: SearchTables, known: Explanation): readonly Candidate[] {
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
