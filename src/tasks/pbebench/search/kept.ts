import type { Rule } from '../../../rewriting/index.ts'
import type { Explanation, Gap } from './explain.ts'
import { backwardMove, forwardMove, type Move } from './moves.ts'
import type { Meter } from './problem.ts'
import type { Workshop } from './workshop.ts'

/** Evaluated moves by piece: a positive number is a rule applied, a negative one the same rule undone. */
export type Moves = Map<number, Move>

/** Those moves that touch none of the pairs that have changed: most moves touch few pairs. */
export function holding(moves: Moves, gap: Gap, changed: readonly number[]): Moves {
  const out: Moves = new Map()
  for (const [key, move] of moves) {
    const { forward, rule, indices } = move
    const touched = changed.some((i) => {
      const text = (forward ? gap.words : gap.outputs)[i] as string
      return indices.includes(i) || text.includes(rule[0]) || (!forward && text.includes(rule[1]))
    })
    if (!touched) out.set(key, move)
  }
  return out
}

/** The move of a piece in this state, evaluated or remembered. */
export function moveAt(shop: Workshop, known: Explanation, kept: Moves, key: number, meter: Meter): Move {
  const old = kept.get(key)
  if (old !== undefined) {
    let now = 0
    for (const i of old.indices) now += known.costs[i] as number
    if (Math.abs(now - old.before) < 1e-9) return old
  }
  meter.step()
  const id = Math.abs(key)
  const rule: Rule = [shop.pieces.left[id] as string, shop.pieces.right[id] as string]
  const move = key > 0 ? forwardMove(shop, known, rule) : backwardMove(shop, known, rule)
  kept.set(key, move)
  return move
}
