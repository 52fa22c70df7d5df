import { memoize } from '../../../core/memo.ts'
import { isTerminal, type Pcfg, type SymbolCode, terminalIndex } from './grammar.ts'

/** By nonterminal: the tokens that can stand on either side of its first and of its last border, in a derivation of a whole string. */
interface Borders {
  readonly before: BitRows
  readonly first: BitRows
  readonly last: BitRows
  readonly after: BitRows
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
  const { before, first, last, after } = borders(grammar)
  const side = tokens.length + 1
  const begins = new Uint8Array(grammar.nonterminals.length * side)
  const ends = new Uint8Array(begins.length)
  for (let place = 0; place < side; place++) {
    const left = columnOf(tokens[place - 1])
    const right = columnOf(tokens[place])
    for (let n = 0, at = place; at < begins.length; n++, at += side) {
      if (first.has(n, right) && before.has(n, left)) begins[at] = 1
      if (last.has(n, left) && after.has(n, right)) ends[at] = 1
    }
  }
  return { begins, ends }
}

/** Column 0 is the edge of the string. */
const columnOf = (token: number | undefined): number => (token === undefined ? 0 : token + 1)

const borders = memoize((grammar: Pcfg): Borders => {
  const rules = grammar.rules.map(({ left, right }) => ({ left, right }))
  const mirrored = rules.map(({ left, right }) => ({ left, right: right.toReversed() }))
  const first = firstOf(grammar, rules)
  const last = firstOf(grammar, mirrored)
  return { first, last, before: beforeOf(grammar, rules, last), after: beforeOf(grammar, mirrored, first) }
})

interface Sides {
  readonly left: number
  readonly right: readonly SymbolCode[]
}

function firstOf(grammar: Pcfg, rules: readonly Sides[]): BitRows {
  const out = empty(grammar)
  const arcs: Arc[] = []
  for (const { left, right } of rules) {
    const [symbol] = right as [SymbolCode]
    if (isTerminal(symbol)) out.add(left, columnOf(terminalIndex(symbol)))
    else arcs.push({ from: symbol, to: left })
  }
  return closed(out, arcs)
}

function beforeOf(grammar: Pcfg, rules: readonly Sides[], last: BitRows): BitRows {
  const out = empty(grammar)
  const arcs: Arc[] = []
  out.add(0, columnOf(undefined))
  for (const { left, right } of rules)
    for (const [i, symbol] of right.entries()) {
      if (isTerminal(symbol)) continue
      const previous = right[i - 1]
      if (previous === undefined) arcs.push({ from: left, to: symbol })
      else if (isTerminal(previous)) out.add(symbol, columnOf(terminalIndex(previous)))
      else out.include(symbol, last, previous)
    }
  return closed(out, arcs)
}

const empty = (grammar: Pcfg): BitRows => new BitRows(grammar.nonterminals.length, grammar.terminals.length + 1)

/** What is in row `from` is in row `to`, too. */
interface Arc {
  readonly from: number
  readonly to: number
}

function closed(rows: BitRows, arcs: readonly Arc[]): BitRows {
  const onward = new Map<number, number[]>()
  for (const { from, to } of arcs) {
    const known = onward.get(from)
    if (known === undefined) onward.set(from, [to])
    else known.push(to)
  }
  const waiting = new Set(onward.keys())
  for (const from of waiting) {
    waiting.delete(from)
    for (const to of onward.get(from) ?? []) if (rows.include(to, rows, from) && onward.has(to)) waiting.add(to)
  }
  return rows
}

/** Sets of small integers by row. */
export class BitRows {
  private readonly bits: Uint32Array
  private readonly words: number

  constructor(rows: number, columns: number) {
    this.words = Math.ceil(columns / 32)
    this.bits = new Uint32Array(rows * this.words)
  }

  has(row: number, column: number): boolean {
    return ((this.bits[row * this.words + (column >>> 5)]! >>> (column & 31)) & 1) === 1
  }

  add(row: number, column: number): void {
    const at = row * this.words + (column >>> 5)
    this.bits[at]! |= 1 << (column & 31)
  }

  /** Adds a row of rows as wide to one; whether it was more than that had. */
  include(row: number, rows: BitRows, other: number): boolean {
    let changed = 0
    for (let i = 0; i < this.words; i++) {
      const at = row * this.words + i
      const own = this.bits[at]!
      const more = rows.bits[other * this.words + i]! & ~own
      this.bits[at] = own | more
      changed |= more
    }
    return changed !== 0
  }
}
