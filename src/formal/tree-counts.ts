import type { Cnf } from './grammar.ts'
import { preterminals, rulesByChild } from './rules-by-child.ts'

/** How many trees each symbol has over each span of one string; valid until the next one is counted. */
export interface TreeCounts {
  /** Trees of `symbol` over tokens from..to-1, as a double: exact below 2^53, never 0 where there is one. */
  count(symbol: number, from: number, to: number): number
}

/**
 * Counts in doubles, by row propagation: starts from right to left, at one start the splits from left to right, all
 * ends of a right child at once. Null for strings so long that a count might pass 2^1000 under some grammar with as many
 * rules: n - 1 binary rules in each tree, at most 4^n shapes.
 */
export function treeCounter(cnf: Cnf): (tokens: ArrayLike<number>) => TreeCounts | null {
  const N = cnf.nonterminals.length
  const { start, rules } = rulesByChild(cnf, 1)
  const byToken = preterminals(cnf)
  const longest = Math.floor(1000 / (2 + 32 - Math.clz32(rules.length / 2)))
  let counts = new Float64Array(0)
  // Is there any span that begins at this start, for (start, symbol); rows of others hold what an earlier string left.
  let begins = new Uint8Array(0)
  const alive = new Int32Array(N)

  return (tokens) => {
    const n = tokens.length
    if (n > longest) return null
    const side = n + 1
    const rows = n * N
    if (begins.length < rows) begins = new Uint8Array(rows)
    else begins.fill(0, 0, rows)
    if (counts.length < rows * side) counts = new Float64Array(rows * side)
    const table = counts
    const live = begins
    for (let i = n - 1; i >= 0; i--) {
      const base = i * N
      let held = 0
      for (const a of byToken[tokens[i] as number] ?? []) {
        live[base + a] = 1
        alive[held++] = a
        const row = (base + a) * side
        table.fill(0, row + i + 1, row + side)
        table[row + i + 1] = 1
      }
      for (let k = i + 1; k < n; k++) {
        const below = k * N
        for (let s = 0; s < held; s++) {
          const b = alive[s] as number
          const left = table[(base + b) * side + k] as number
          if (left === 0) continue
          const last = start[b + 1] as number
          for (let r = start[b] as number; r < last; r += 2) {
            const c = rules[r] as number
            if (live[below + c] === 0) continue
            const a = rules[r + 1] as number
            const to = (base + a) * side
            if (live[base + a] === 0) {
              live[base + a] = 1
              alive[held++] = a
              table.fill(0, to + i + 1, to + side)
            }
            const from = (below + c) * side
            for (let j = k + 1; j <= n; j++)
              table[to + j] = (table[to + j] as number) + left * (table[from + j] as number)
          }
        }
      }
    }
    return {
      count: (symbol, from, to) =>
        live[from * N + symbol] === 1 ? (table[(from * N + symbol) * side + to] as number) : 0,
    }
  }
}
