import { shuffle } from './random.ts'
import type { Stream } from './streams.ts'
import type { StratumLevels } from './task.ts'

/**
 * Hierarchical interleave: an order in which every prefix holds close to its proportional share of each level of the first factor, of
 * each pair of levels of the first two, and so on. Returns positions in `cells`.
 *
 * @example
 * import { interleave, namedStream } from '@touchstone-eval/touchstone/task'
 *
 * const cells = [1, 2, 3].flatMap((length) => ['yes', 'no'].map((label) => ({ length, label })))
 * const order = interleave(cells, ['length', 'label'], namedStream('my study'))
 */
export function interleave(cells: readonly StratumLevels[], factors: readonly string[], stream: Stream): number[] {
  return order(
    cells.map((_, i) => i),
    cells,
    factors,
    0,
    stream,
  )
}

function order(
  list: readonly number[],
  cells: readonly StratumLevels[],
  factors: readonly string[],
  depth: number,
  stream: Stream,
): number[] {
  const factor = factors[depth]
  if (factor === undefined || list.length < 2) return shuffle(stream, list)
  const byLevel = new Map<unknown, number[]>()
  for (const i of list) {
    const level = cells[i]?.[factor]
    const group = byLevel.get(level)
    if (group === undefined) byLevel.set(level, [i])
    else group.push(i)
  }
  const parts = shuffle(stream, [...byLevel.values()]).map((part) => order(part, cells, factors, depth + 1, stream))
  return merge(parts)
}

/** Element j of n has the deadline (2j+1)/(2n); the earlier list wins ties. */
function merge(parts: readonly (readonly number[])[]): number[] {
  if (parts.length === 1) return [...(parts[0] as readonly number[])]
  const due = parts.flatMap((part, list) =>
    part.map((cell, j) => ({ cell, list, top: 2 * j + 1, bottom: 2 * part.length })),
  )
  due.sort((a, b) => a.top * b.bottom - b.top * a.bottom || a.list - b.list)
  return due.map((entry) => entry.cell)
}
