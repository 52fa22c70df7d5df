import type { Cnf } from '../../../src/libraries/grammars/index.ts'

/** The plain chart: which nonterminals derive which span. */
export interface Chart {
  readonly length: number
  /** Does A derive tokens from..to-1? */
  has(symbol: number, from: number, to: number): boolean
}

/**
 * Cocke-Younger-Kasami over typed arrays, straight from the textbook: for every span, split and rule. Cubic in the
 * string, linear in the rules, with no table but the chart. The reference the fast recogniser is measured against.
 */
export function cykChart(cnf: Cnf, tokens: ArrayLike<number>): Chart {
  const n = tokens.length
  const N = cnf.nonterminals.length
  const { binary, lexical } = cnf
  const chart = new Uint8Array((n + 1) * (n + 1) * N)
  const cell = (from: number, to: number) => (from * (n + 1) + to) * N
  for (let i = 0; i < n; i++)
    for (let at = 0; at < lexical.length; at += 2)
      if (lexical[at + 1] === tokens[i]) chart[cell(i, i + 1) + (lexical[at] as number)] = 1
  for (let width = 2; width <= n; width++)
    for (let from = 0; from + width <= n; from++) {
      const to = from + width
      const target = cell(from, to)
      for (let split = from + 1; split < to; split++) {
        const left = cell(from, split)
        const right = cell(split, to)
        for (let at = 0; at < binary.length; at += 3)
          if (chart[left + (binary[at + 1] as number)] === 1 && chart[right + (binary[at + 2] as number)] === 1)
            chart[target + (binary[at] as number)] = 1
      }
    }
  return { length: n, has: (symbol, from, to) => chart[cell(from, to) + symbol] === 1 }
}

/** Membership by {@link cykChart}. */
export const cykAccepts = (cnf: Cnf, tokens: ArrayLike<number>): boolean =>
  tokens.length > 0 && cykChart(cnf, tokens).has(0, 0, tokens.length)
