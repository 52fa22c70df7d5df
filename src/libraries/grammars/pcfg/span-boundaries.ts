import { memoize } from '../../../core/memo.ts'
import { absorb, type TokenSets } from '../grammar/token-sets.ts'
import { isTerminal, type Pcfg, type SymbolCode, terminalIndex } from './grammar.ts'

/**
 * By nonterminal, bit sets of the tokens that can stand on either side of its first and of its last border, in a derivation of a
 * whole string.
 */
interface Borders {
  readonly words: number
  readonly before: TokenSets
  readonly first: TokenSets
  readonly last: TokenSets
  readonly after: TokenSets
}

/** By nonterminal and place (`nonterminal * (length + 1) + place`): 1 where it can begin, or end, as the tokens on both sides tell. */
export interface SpanBoundaries {
  readonly begins: Uint8Array
  readonly ends: Uint8Array
}

/**
 * Where nonterminals can begin and end in a string. Every constituent of every derivation of the whole string passes, so
 * the constituents that are excluded change neither its best derivation nor the choice among equal ones.
 */
export function spanBoundaries(grammar: Pcfg, tokens: readonly number[]): SpanBoundaries {
  const { words, before, first, last, after } = borders(grammar)
  const side = tokens.length + 1
  const begins = new Uint8Array(grammar.nonterminals.length * side)
  const ends = new Uint8Array(begins.length)
  const has = (sets: TokenSets, row: number, column: number): boolean =>
    (sets[row * words + (column >>> 5)]! & (1 << (column & 31))) !== 0
  for (let place = 0; place < side; place++) {
    const left = columnOf(tokens[place - 1])
    const right = columnOf(tokens[place])
    for (let n = 0, at = place; at < begins.length; n++, at += side) {
      if (has(first, n, right) && has(before, n, left)) begins[at] = 1
      if (has(last, n, left) && has(after, n, right)) ends[at] = 1
    }
  }
  return { begins, ends }
}

/** Column 0 is the edge of the string. */
const columnOf = (token: number | undefined): number => (token === undefined ? 0 : token + 1)

const borders = memoize((grammar: Pcfg): Borders => {
  const rules = grammar.rules.map(({ left, right }) => ({ left, right }))
  const mirrored = rules.map(({ left, right }) => ({ left, right: right.toReversed() }))
  const words = (grammar.terminals.length + 32) >>> 5
  const empty = (): TokenSets => new Int32Array(grammar.nonterminals.length * words)
  const add = (sets: TokenSets, row: number, column: number): void => {
    sets[row * words + (column >>> 5)]! |= 1 << (column & 31)
  }
  function firstOf(sides: readonly Sides[]): TokenSets {
    const out = empty()
    const arcs: Arc[] = []
    for (const { left, right } of sides) {
      const [symbol] = right as [SymbolCode]
      if (isTerminal(symbol)) add(out, left, columnOf(terminalIndex(symbol)))
      else arcs.push({ from: symbol, to: left })
    }
    return closed(out, words, arcs)
  }
  function beforeOf(sides: readonly Sides[], last: TokenSets): TokenSets {
    const out = empty()
    const arcs: Arc[] = []
    add(out, 0, columnOf(undefined))
    for (const { left, right } of sides)
      for (const [i, symbol] of right.entries()) {
        if (isTerminal(symbol)) continue
        const previous = right[i - 1]
        if (previous === undefined) arcs.push({ from: left, to: symbol })
        else if (isTerminal(previous)) add(out, symbol, columnOf(terminalIndex(previous)))
        else absorb(out, symbol * words, last, previous * words, words)
      }
    return closed(out, words, arcs)
  }
  const first = firstOf(rules)
  const last = firstOf(mirrored)
  return { words, first, last, before: beforeOf(rules, last), after: beforeOf(mirrored, first) }
})

interface Sides {
  readonly left: number
  readonly right: readonly SymbolCode[]
}

/** What is in row `from` is in row `to`, too. */
interface Arc {
  readonly from: number
  readonly to: number
}

function closed(rows: TokenSets, words: number, arcs: readonly Arc[]): TokenSets {
  const onward = Map.groupBy(arcs, ({ from }) => from)
  const waiting = new Set(onward.keys())
  for (const from of waiting) {
    waiting.delete(from)
    for (const { to } of onward.get(from) ?? [])
      if (absorb(rows, to * words, rows, from * words, words) && onward.has(to)) waiting.add(to)
  }
  return rows
}
