import { below } from '../../../core/random.ts'
import type { Stream } from '../../../core/streams.ts'
import type { Edge } from '../../../libraries/graphs/graph.ts'

/**
 * Statements along the structure: a breadth-first walk from a random entity, so that each but the first shares an
 * entity with an earlier one. Directions of statements do not affect the order.
 */
export function walkOrder(n: number, statements: readonly Edge[], stream: Stream): Edge[] {
  const at: number[][] = Array.from({ length: n }, () => [])
  statements.forEach(([u, v], i) => {
    at[u]?.push(i)
    at[v]?.push(i)
  })
  const start = below(stream, n)
  const queue = [start]
  const seen = new Uint8Array(n)
  seen[start] = 1
  const used = new Uint8Array(statements.length)
  const out: Edge[] = []
  for (let head = 0; head < queue.length; head++) {
    const u = queue[head] as number
    for (const i of at[u] as number[]) {
      if (used[i] === 1) continue
      used[i] = 1
      const statement = statements[i] as Edge
      out.push(statement)
      const v = statement[0] === u ? statement[1] : statement[0]
      if (seen[v] === 0) {
        seen[v] = 1
        queue.push(v)
      }
    }
  }
  return out
}
