import { memoize } from '../../../core/memo.ts'
import { type Cnf, preterminals, rulesByParent } from '../grammar/cnf.ts'
import { chartBuilder } from './chart.ts'

/** What may follow the beginning of a string. */
export interface Continuations {
  /** Tokens t so that some string of the language begins with the tokens and then t; ascending. */
  readonly tokens: readonly number[]
  /** Is the beginning itself in the language? */
  readonly end: boolean
}

/**
 * Exact continuations by spans: with the chart of the beginning, from right to left, the tokens that may follow when a symbol
 * began at a place and goes on. The grammar must be trimmed.
 */
export function continuations(cnf: Cnf, tokens: ArrayLike<number>): Continuations {
  const { build, byLeft, words, first, above } = kernelOf(cnf)
  const symbols = cnf.nonterminals.length
  const m = tokens.length
  const chart = build(tokens)
  const beginning: number[][][] = Array.from({ length: m }, () => [])
  for (const cell of chart.cells()) beginning[cell[0]!]!.push(cell)
  /** For every place a row of token sets by symbol: what follows where the symbol began there and is not finished. */
  const rows: Int32Array[] = Array.from({ length: m + 1 }, () => first)
  for (let from = m - 1; from >= 0; from--) {
    const row = new Int32Array(symbols * words)
    const grown: number[] = []
    const add = (symbol: number, source: Int32Array, other: number): void => {
      let changed = 0
      for (let w = 0; w < words; w++) {
        changed |= source[other * words + w]! & ~row[symbol * words + w]!
        row[symbol * words + w]! |= source[other * words + w]!
      }
      if (changed !== 0) grown.push(symbol)
    }
    for (const [, to = 0, ...left] of beginning[from]!)
      for (const symbol of left)
        for (let r = 0; r < byLeft[symbol]!.length; r += 2) add(byLeft[symbol]![r]!, rows[to]!, byLeft[symbol]![r + 1]!)
    // A symbol also goes on inside the symbol that begins it.
    for (let symbol = grown.pop(); symbol !== undefined; symbol = grown.pop())
      for (const parent of above[symbol]!) add(parent, row, symbol)
    rows[from] = row
  }
  const found = cnf.terminals.flatMap((_, t) => (((rows[0]![t >>> 5]! >>> (t & 31)) & 1) === 1 ? [t] : []))
  return { tokens: found, end: m > 0 && chart.has(0, 0, m) }
}

const kernelOf = memoize((cnf: Cnf) => {
  const symbols = cnf.nonterminals.length
  const words = (cnf.terminals.length + 31) >>> 5
  const rules = rulesByParent(cnf)
  /** Rules by their left child: parent, right child, ... */
  const byLeft: number[][] = rules.map(() => [])
  /** The symbols that a symbol can begin directly. */
  const begins: Set<number>[] = rules.map(() => new Set())
  for (const [parent, own] of rules.entries())
    for (const { left, right } of own) {
      byLeft[left]!.push(parent, right)
      begins[left]!.add(parent)
    }
  const above = begins.map((parents) => [...parents])
  const first = new Int32Array(symbols * words)
  for (const [t, owners] of preterminals(cnf).entries()) {
    const seen = new Set(owners)
    for (const symbol of seen) {
      first[symbol * words + (t >>> 5)]! |= 1 << (t & 31)
      for (const parent of above[symbol]!) seen.add(parent)
    }
  }
  return { build: chartBuilder(cnf), byLeft, words, first, above }
})
