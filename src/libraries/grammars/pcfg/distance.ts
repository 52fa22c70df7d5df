import type { PrefixAutomaton } from './prefix-automaton.ts'

/**
 * Levenshtein distance from a string to the nearest string of the language, or null where it is above `most`: the
 * shortest path over (prefix state, position) with keep for 0 and substitute, insert, delete for 1, layer by layer of
 * cost. Exact, and lazy: only states within `most` edits of the string are built.
 */
export function distanceToLanguage(automaton: PrefixAutomaton, tokens: readonly number[], most: number): number | null {
  const side = tokens.length + 1
  const seen = new Set<number>()
  let layer: number[] = [0]
  for (let cost = 0; cost <= most; cost++) {
    const next: number[] = []
    const queue = layer
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      if (seen.has(at)) continue
      seen.add(at)
      const state = Math.floor(at / side)
      const position = at % side
      const { end, next: arcs } = automaton.state(state)
      if (position === tokens.length && end > 0) return cost
      if (position < tokens.length) next.push(at + 1)
      for (const [terminal, { to }] of arcs) {
        next.push(to * side + position)
        if (position === tokens.length) continue
        const after = to * side + position + 1
        if (terminal === tokens[position]) queue.push(after)
        else next.push(after)
      }
    }
    layer = next
  }
  return null
}
