import { float, type Stream } from '../../../core/index.ts'
import { countOverlapping } from '../../../rewriting/index.ts'
import type { Lattice } from './pieces.ts'
import type { Workshop } from './workshop.ts'

/** Words at hand, and what they still have to become. */
export interface Gap {
  readonly words: readonly string[]
  readonly outputs: readonly string[]
}

/** A cheap joint explanation of all pairs that are not solved. */
export interface Explanation {
  /** Weight of the best path of each pair; 0 where it is solved. */
  readonly costs: Float64Array
  readonly unsolved: number
  /** Pieces on best paths, with the number of pairs that use them. */
  readonly used: ReadonlyMap<number, number>
  /** Pieces that some pair could use; the workshop has counted in how many pairs. */
  readonly possible: readonly number[]
}

/**
 * Soft set cover: a piece that could help many pairs is cheap in each of them, and the summed weight of best paths
 * estimates the number of rules that are still needed. A careful explanation also charges a piece for the other places
 * where its left side stands, which costs time and pays where short rules do much damage.
 */
export function explain(
  shop: Workshop,
  { words, outputs }: Gap,
  noise: number,
  careful: boolean,
  stream: Stream,
): Explanation {
  const possible: number[] = []
  shop.beginCounts()
  const lattices: (Lattice | null)[] = []
  let unsolved = 0
  for (let i = 0; i < words.length; i++) {
    if (words[i] === outputs[i]) {
      lattices.push(null)
      continue
    }
    unsolved++
    const lattice = shop.lattice(words[i] as string, outputs[i] as string, true)
    lattices.push(lattice)
    for (const id of lattice.distinct) if (shop.count(id) === 1) possible.push(id)
  }
  shop.beginWeights()
  shop.beginLayer()
  const [corpus, goal] = careful ? [words.join('\n'), outputs.join('\n')] : ['', '']
  for (const id of possible) {
    const count = shop.countOf(id)
    const left = shop.pieces.left[id] as string
    const against = careful
      ? Math.min(Math.max(0, countOverlapping(corpus, left) - count), countOverlapping(goal, left))
      : 0
    const blur = noise === 0 ? 1 : 1 + noise * float(stream)
    shop.setWeight(id, (((shop.pieces.cost[id] as number) + 0.3 * against) * blur) / count)
  }
  const costs = new Float64Array(words.length)
  const used = new Map<number, number>()
  for (const [i, lattice] of lattices.entries()) {
    if (lattice === null) continue
    costs[i] = shop.least(lattice)
    for (const id of new Set(shop.pathOf(lattice))) used.set(id, (used.get(id) ?? 0) + 1)
  }
  return { costs, unsolved, used, possible }
}
