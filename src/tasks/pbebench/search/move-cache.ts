import type { Explanation } from './explain.ts'
import { backwardMove, forwardMove, type Move } from './moves.ts'
import type { Meter } from './problem.ts'
import type { SearchTables } from './search-tables.ts'

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
