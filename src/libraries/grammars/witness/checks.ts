import { memoize } from '../../../core/memo.ts'
import type { Cnf } from '../grammar/cnf.ts'
import type { PairGrammar } from '../recognise/pair-chart.ts'

/**
 * Do these rules, applied to the leftmost nonterminal in turn, rewrite the start symbol into just these tokens? Binary
 * rule r is r, lexical rule l is (number of binary rules) + l. No search: linear in the rules.
 */
export function checkDerivation(cnf: Cnf, tokens: ArrayLike<number>, rules: readonly number[]): boolean {
  const binary = cnf.binary.length / 3
  const lexical = cnf.lexical.length / 2
  const stack = [0]
  let read = 0
  for (const rule of rules) {
    const symbol = stack.pop()
    if (symbol === undefined || !Number.isInteger(rule) || rule < 0 || rule >= binary + lexical) return false
    if (rule < binary) {
      if (cnf.binary[3 * rule] !== symbol) return false
      stack.push(cnf.binary[3 * rule + 2]!, cnf.binary[3 * rule + 1]!)
    } else {
      const at = 2 * (rule - binary)
      if (cnf.lexical[at] !== symbol || cnf.lexical[at + 1] !== tokens[read]) return false
      read++
    }
  }
  return stack.length === 0 && read === tokens.length
}

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
      if (cnf.lexical[at + 1] === tokens[i] && !has(i, i + 1, cnf.lexical[at]!)) return false
  const joins = new Map<number, number[]>()
  for (let at = 0; at < cnf.binary.length; at += 3) {
    const pair = cnf.binary[at + 1]! * N + cnf.binary[at + 2]!
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

/** A symbol over its parts: the symbol, then begin and end of each. */
export type PairRow = readonly number[]

/**
 * Do these symbols over pairs of parts hold all that pairs of tokens give, and all that the rules give of two of them, without the
 * start symbol over the whole string? Then it is outside the language. No search: any two that a rule may join are looked at once.
 */
export function checkClosedPairs(grammar: PairGrammar, tokens: ArrayLike<number>, rows: readonly PairRow[]): boolean {
  const n = tokens.length
  const known = new Set<string>()
  const bySymbol = grammar.nonterminals.map((): PairRow[] => [])
  for (const row of rows) {
    const [symbol = -1, i = -1, j = -1, k = -1, l = -1] = row
    const isRow = row.length === 5 && row.every(Number.isInteger) && 0 <= i && i < j && j <= k && k < l && l <= n
    if (!isRow || symbol <= 0 || symbol >= bySymbol.length) return false
    known.add(row.join(' '))
    bySymbol[symbol]!.push(row.slice(1))
  }
  for (const [symbol, first, second] of grammar.lexical)
    for (let i = 0; i < n; i++)
      for (let j = i + 1; j < n; j++)
        if (tokens[i] === first && tokens[j] === second && !known.has([symbol, i, i + 1, j, j + 1].join(' ')))
          return false
  for (const { left, first, second, arrangement } of grammar.binary)
    for (const one of bySymbol[first]!)
      for (const other of bySymbol[second]!) {
        const bounds = joined(arrangement, one, other)
        if (bounds === null) continue
        if (left !== 0 && !known.has([left, ...bounds].join(' '))) return false
        if (left === 0 && bounds[0] === 0 && bounds[1] === n) return false
      }
  return true
}

/** Begin and end of the strings that an arrangement makes of two pairs of parts; null where they do not join. */
function joined(arrangement: string, one: readonly number[], other: readonly number[]): readonly number[] | null {
  const parts: { readonly [letter: string]: readonly number[] } = {
    a: one.slice(0, 2),
    b: one.slice(2),
    c: other.slice(0, 2),
    d: other.slice(2),
  }
  const bounds: number[] = []
  for (const letters of arrangement.split(', ')) {
    const spans = letters.split(' ').map((letter) => parts[letter]!)
    if (spans.some(([from], at) => at > 0 && from !== spans[at - 1]![1])) return null
    bounds.push(spans[0]![0]!, spans.at(-1)![1]!)
  }
  return bounds.length === 2 || bounds[1]! <= bounds[2]! ? bounds : null
}

/**
 * Can the token at `at` not stand there, because no string begins with it (at = 0), none has it right after the token
 * before it, or none ends with it (at = the last place)? The sets of first and last tokens below each symbol are the
 * least that are closed under the rules; a rule that puts two tokens side by side would show in them.
 */
export function checkForbiddenToken(cnf: Cnf, tokens: ArrayLike<number>, at: number): boolean {
  const n = tokens.length
  if (!Number.isInteger(at) || at < 0 || at >= n) return false
  const token = tokens[at]!
  if (!(token >= 0 && token < cnf.terminals.length)) return true
  const { first, last } = edges(cnf)
  if (at === 0 && !(first[0] as Set<number>).has(token)) return true
  if (at === n - 1 && !(last[0] as Set<number>).has(token)) return true
  if (at === 0) return false
  const before = tokens[at - 1]!
  for (let rule = 0; rule < cnf.binary.length; rule += 3)
    if (
      (last[cnf.binary[rule + 1] as number] as Set<number>).has(before) &&
      (first[cnf.binary[rule + 2] as number] as Set<number>).has(token)
    )
      return false
  return true
}

const edges = memoize((cnf: Cnf) => ({ first: edgeTokens(cnf, 1), last: edgeTokens(cnf, 2) }))

/** The tokens at the left (child 1) or right (child 2) edge of what each symbol derives. */
function edgeTokens(cnf: Cnf, child: 1 | 2): Set<number>[] {
  const sets = cnf.nonterminals.map(() => new Set<number>())
  for (let at = 0; at < cnf.lexical.length; at += 2) sets[cnf.lexical[at] as number]?.add(cnf.lexical[at + 1]!)
  for (let grown = true; grown; ) {
    grown = false
    for (let at = 0; at < cnf.binary.length; at += 3) {
      const parent = sets[cnf.binary[at] as number] as Set<number>
      const before = parent.size
      for (const token of sets[cnf.binary[at + child] as number] as Set<number>) parent.add(token)
      if (parent.size > before) grown = true
    }
  }
  return sets
}
