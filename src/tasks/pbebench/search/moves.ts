import type { Explanation, State } from './explain.ts'
import type { Meter } from './problem.ts'
import type { SearchTables } from './search-tables.ts'

/** What a rule would do, applied to the words or undone on the outputs. */
export interface Move {
  /** The rule. */
  readonly piece: number
  readonly forward: boolean
  /** The pairs that it changes, and the new words or outputs by number. */
  readonly indices: readonly number[]
  readonly results: readonly number[]
  /** Summed weight of these pairs before. */
  readonly before: number
  /** Fall of the summed weight, less 1 for the rule: 0 pays for itself, below 0 does damage. -Infinity: impossible. */
  readonly gain: number
}

const EVEN = 1e-9

const impossible = (piece: number, forward: boolean, indices: readonly number[], before: number): Move => ({
  piece,
  forward,
  indices,
  results: [],
  before,
  gain: Number.NEGATIVE_INFINITY,
})

/** What a move makes of a state. */
export function stateAfter(state: State, { forward, indices, results }: Move): State {
  const changed = [...(forward ? state.words : state.outputs)]
  for (const [k, i] of indices.entries()) changed[i] = results[k] as number
  return forward ? { words: changed, outputs: state.outputs } : { words: state.words, outputs: changed }
}

/** Applying a rule to the words: every word that holds its left side changes, for good or bad. */
function forwardMove(tables: SearchTables, known: Explanation, piece: number): Move {
  const indices = known.inWords.places(tables.pieces.leftPart(piece))
  if (indices.length === 0) return impossible(piece, true, [], 0)
  const results: number[] = []
  let [before, after] = [0, 0]
  const restore = project(tables, known, piece, true)
  for (const i of indices) {
    const next = tables.rewrites.after(piece, known.words[i] as number)
    if ((tables.words.texts[next] as string).length > tables.longest) {
      restore()
      return impossible(piece, true, [i], known.costs[i] as number)
    }
    results.push(next)
    before += known.costs[i] as number
    after += tables.least(next, known.outputs[i] as number)
  }
  restore()
  return { piece, forward: true, indices, results, before, gain: before - after - 1 }
}

/**
 * Undoing a rule on the outputs: for every output the cheapest text from which the rule makes it. A pair that this does
 * not help stays as it is, so undoing can do no damage; but where the left side stands in an output, some place must
 * be undone for the rule to have left it there.
 */
function backwardMove(tables: SearchTables, known: Explanation, piece: number): Move {
  const [left, right] = [tables.pieces.leftPart(piece), tables.pieces.rightPart(piece)]
  const letters = tables.pieces.right(piece).length
  if (letters === 0) return impossible(piece, false, [], 0)
  const [indices, results]: [number[], number[]] = [[], []]
  let [before, after] = [0, 0]
  const restore = project(tables, known, piece, false)
  for (const i of known.inOutputs.places(left, right)) {
    const forced = known.inOutputs.has(left, i)
    const cost = known.costs[i] as number
    let least = Number.POSITIVE_INFINITY
    let best: number | null = null
    if (known.inOutputs.has(right, i)) {
      // A coincidence of two or three letters is unlikely, so undoing it is accepted at an equal cost.
      if (!forced) least = letters > 1 ? cost + EVEN : cost - EVEN
      for (const candidate of tables.rewrites.before(piece, known.outputs[i] as number)) {
        if ((tables.words.texts[candidate] as string).length > tables.longest) continue
        const here = tables.least(known.words[i] as number, candidate)
        if (here < least) {
          least = here
          best = candidate
        }
      }
    }
    if (best === null) {
      if (!forced) continue
      restore()
      return impossible(piece, false, [i], cost)
    }
    indices.push(i)
    results.push(best)
    before += cost
    after += least
  }
  restore()
  if (indices.length === 0) return impossible(piece, false, [], 0)
  return { piece, forward: false, indices, results, before, gain: before - after - 1 }
}

/**
 * Rules that are in use keep their weight when the move rewrites one of their sides: what was cheap because many pairs
 * share it stays cheap in its new form. Returns what undoes this.
 */
function project(tables: SearchTables, known: Explanation, piece: number, forward: boolean): () => void {
  const { pieces } = tables
  const [left, right] = tables.rewrites.ruleOf(piece)
  const lowered: [id: number, weight: number][] = []
  const lower = (id: number, value: number): void => {
    const now = pieces.weight[id] as number
    if (now <= value) return
    lowered.push([id, now])
    pieces.weight[id] = value
  }
  for (const id of known.used.keys()) {
    if (id === piece) continue
    const [s, t] = [pieces.left(id), pieces.right(id)]
    if (forward) {
      if (!s.includes(left)) continue
      const rewritten = s.split(left).join(right)
      if (rewritten === '' || rewritten.length > tables.side || rewritten === t) continue
      lower(pieces.id(rewritten, t), (pieces.weight[id] as number) * 1.0005)
    } else {
      if (!t.includes(right)) continue
      const rewritten = t.split(right).join(left)
      if (rewritten === s || rewritten.length > 2 * tables.side) continue
      const other = pieces.id(s, rewritten)
      const scale = (pieces.cost[other] as number) / (pieces.cost[id] as number)
      lower(other, (pieces.weight[id] as number) * scale * (right.length > 1 ? 0.995 : 1.0005))
    }
  }
  return () => {
    for (const [id, weight] of lowered.reverse()) pieces.weight[id] = weight
  }
}

/** Evaluated moves by piece: a positive number is a rule applied, a negative one the same rule undone. */
export type Moves = Map<number, Move>

/** Those moves that touch none of the pairs that have changed: most moves touch few pairs. */
export function holding(
  tables: SearchTables,
  { inWords, inOutputs }: Explanation,
  moves: Moves,
  changed: readonly number[],
): Moves {
  const { pieces } = tables
  const out: Moves = new Map()
  for (const [key, move] of moves) {
    const { forward, piece, indices } = move
    const [left, right] = [pieces.leftPart(piece), pieces.rightPart(piece)]
    const touched = (i: number) =>
      indices.includes(i) || (forward ? inWords.has(left, i) : inOutputs.has(left, i) || inOutputs.has(right, i))
    if (!changed.some(touched)) out.set(key, move)
  }
  return out
}

/** The move of a piece in this state, evaluated or remembered. */
export function moveAt(tables: SearchTables, known: Explanation, kept: Moves, key: number, meter: Meter): Move {
  const old = kept.get(key)
  if (old !== undefined) {
    let now = 0
    for (const i of old.indices) now += known.costs[i] as number
    if (Math.abs(now - old.before) < 1e-9) return old
  }
  meter.step()
  const id = Math.abs(key)
  const move = key > 0 ? forwardMove(tables, known, id) : backwardMove(tables, known, id)
  kept.set(key, move)
  return move
}
