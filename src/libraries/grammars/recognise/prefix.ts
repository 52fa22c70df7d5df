import { memoize } from '../../../core/memo.ts'
import { tokenEdges } from '../grammar/adjacency.ts'
import { type Cnf, rulesByLeftChild } from '../grammar/cnf.ts'
import { absorb, forEachToken, type TokenSets } from '../grammar/token-sets.ts'
import { useful } from '../grammar/trim.ts'
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
  const { build, byLeft, words, firsts, above } = kernelOf(cnf)
  const symbols = cnf.nonterminals.length
  const m = tokens.length
  const chart = build(tokens)
  const beginning: number[][][] = Array.from({ length: m }, () => [])
  for (const cell of chart.cells()) beginning[cell[0]!]!.push(cell)
  /** For every place a row of token sets by symbol: what follows where the symbol began there and is not finished. */
  const rows: Int32Array[] = Array.from({ length: m + 1 }, () => firsts)
  for (let from = m - 1; from >= 0; from--) {
    const row = new Int32Array(symbols * words)
    const grown: number[] = []
    const add = (symbol: number, source: TokenSets, other: number): void => {
      if (absorb(row, symbol * words, source, other * words, words)) grown.push(symbol)
    }
    for (const [, to = 0, ...left] of beginning[from]!)
      for (const symbol of left) for (const { parent, right } of byLeft[symbol]!) add(parent, rows[to]!, right)
    // A symbol also goes on inside the symbol that begins it.
    for (let symbol = grown.pop(); symbol !== undefined; symbol = grown.pop())
      for (const parent of above[symbol]!) add(parent, row, symbol)
    rows[from] = row
  }
  const found: number[] = []
  forEachToken(rows[0]!, 0, words, (token) => found.push(token))
  return { tokens: found, end: m > 0 && chart.has(0, 0, m) }
}

const kernelOf = memoize((cnf: Cnf) => {
  const byLeft = rulesByLeftChild(cnf)
  const { words, firsts } = tokenEdges(cnf, useful(cnf))
  /** The symbols that a symbol can begin directly. */
  const above = byLeft.map((own) => [...new Set(own.map(({ parent }) => parent))])
  return { build: chartBuilder(cnf), byLeft, words, firsts, above }
})
