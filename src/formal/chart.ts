import type { Cnf } from './grammar.ts'

/** The sparse parse chart of one string: for every span, the nonterminals that derive it. */
export interface SparseChart {
  readonly length: number
  /** Symbols over tokens from..to-1, in the order they were found; empty where none does. */
  cell(from: number, to: number): Int32Array
}

/** Parents of every pair of children: `parents[first[B * N + C]] ...`. */
export interface PairIndex {
  readonly symbols: number
  readonly first: Int32Array
  readonly parents: Int32Array
  /** Rule number of each parent, in the grammar's order. */
  readonly rules: Int32Array
  readonly byToken: readonly (readonly number[])[]
}

/** A rule that is written twice counts once. */
export function indexPairs(cnf: Cnf): PairIndex {
  const N = cnf.nonterminals.length
  const pairOf = (r: number): number => (cnf.binary[3 * r + 1] as number) * N + (cnf.binary[3 * r + 2] as number)
  const known = new Set<string>()
  const order = Int32Array.from({ length: cnf.binary.length / 3 }, (_, r) => r).filter((r) => {
    const rule = cnf.binary.subarray(3 * r, 3 * r + 3).join()
    return !known.has(rule) && known.add(rule)
  })
  order.sort((a, b) => pairOf(a) - pairOf(b) || a - b)
  const first = new Int32Array(N * N + 1)
  for (const r of order) first[pairOf(r) + 1] = (first[pairOf(r) + 1] as number) + 1
  for (let pair = 0; pair < N * N; pair++) first[pair + 1] = (first[pair + 1] as number) + (first[pair] as number)
  const byToken: number[][] = cnf.terminals.map(() => [])
  for (let at = 0; at < cnf.lexical.length; at += 2) {
    const above = byToken[cnf.lexical[at + 1] as number] as number[]
    if (!above.includes(cnf.lexical[at] as number)) above.push(cnf.lexical[at] as number)
  }
  return { symbols: N, first, parents: order.map((r) => cnf.binary[3 * r] as number), rules: order, byToken }
}

const none = new Int32Array(0)

/** Bottom-up over spans, joining only what is there. */
export function sparseChart(index: PairIndex, tokens: ArrayLike<number>): SparseChart {
  const n = tokens.length
  const { symbols: N, first, parents, byToken } = index
  const cells = new Array<Int32Array>((n + 1) * (n + 1)).fill(none)
  const stamp = new Int32Array(N).fill(-1)
  const found: number[] = []
  for (let i = 0; i < n; i++) cells[i * (n + 1) + i + 1] = Int32Array.from(byToken[tokens[i] as number] ?? [])
  for (let width = 2; width <= n; width++)
    for (let from = 0; from + width <= n; from++) {
      const to = from + width
      const at = from * (n + 1) + to
      found.length = 0
      for (let split = from + 1; split < to; split++) {
        const left = cells[from * (n + 1) + split] as Int32Array
        const right = cells[split * (n + 1) + to] as Int32Array
        if (left.length === 0 || right.length === 0) continue
        for (const b of left)
          for (const c of right) {
            const pair = b * N + c
            for (let p = first[pair] as number; p < (first[pair + 1] as number); p++) {
              const parent = parents[p] as number
              if (stamp[parent] === at) continue
              stamp[parent] = at
              found.push(parent)
            }
          }
      }
      if (found.length > 0) cells[at] = Int32Array.from(found)
    }
  return { length: n, cell: (from, to) => cells[from * (n + 1) + to] as Int32Array }
}
