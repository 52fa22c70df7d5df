import type { Cnf } from '../grammar/cnf.ts'

/** For every span that has one, its set of symbols: `[from, to, symbol, symbol, ...]`. */
export type ClosedChart = readonly (readonly number[])[]

/**
 * Is this chart closed under all rules, without the start symbol over the whole string? Every closed chart contains
 * whatever derives a span, so that this proves the string outside the language. No search: each pair of neighbouring
 * spans is looked at once for every rule that joins them.
 */
export function checkClosedChart(cnf: Cnf, tokens: ArrayLike<number>, chart: ClosedChart): boolean {
  const n = tokens.length
  if (n === 0) return false
  const N = cnf.nonterminals.length
  const cells = new Map<number, Set<number>>()
  const beginning: number[][] = Array.from({ length: n + 1 }, () => [])
  for (const [from = -1, to = -1, ...symbols] of chart) {
    if (!isSpan(from, to, n) || cells.has(from * (n + 1) + to)) return false
    if (!symbols.every((symbol) => Number.isInteger(symbol) && symbol >= 0 && symbol < N)) return false
    cells.set(from * (n + 1) + to, new Set(symbols))
    beginning[from]?.push(to)
  }
  const has = (from: number, to: number, symbol: number): boolean =>
    cells.get(from * (n + 1) + to)?.has(symbol) === true
  for (let i = 0; i < n; i++)
    for (let at = 0; at < cnf.lexical.length; at += 2)
      if (cnf.lexical[at + 1] === tokens[i] && !has(i, i + 1, cnf.lexical[at] as number)) return false
  const joins = new Map<number, number[]>()
  for (let at = 0; at < cnf.binary.length; at += 3) {
    const pair = (cnf.binary[at + 1] as number) * N + (cnf.binary[at + 2] as number)
    joins.set(pair, [...(joins.get(pair) ?? []), cnf.binary[at] as number])
  }
  for (const [key, left] of cells) {
    const from = Math.floor(key / (n + 1))
    const split = key % (n + 1)
    for (const to of beginning[split] as number[])
      for (const b of left)
        for (const c of cells.get(split * (n + 1) + to) as Set<number>)
          for (const a of joins.get(b * N + c) ?? []) if (!has(from, to, a)) return false
  }
  return !has(0, n, 0)
}

const isSpan = (from: number, to: number, n: number): boolean =>
  Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from < to && to <= n
