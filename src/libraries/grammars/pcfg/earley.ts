import { memoize } from '../../../core/memo.ts'
import { rejectCrossed } from './crossed.ts'
import { isTerminal, isUnit, meanMatrix, type Pcfg, PcfgError, type PcfgRule, terminalCode } from './grammar.ts'
import { type Rows, series, transposed, unit, zeros } from './linear.ts'
import { MIN_PROBABILITY } from './scaled-probability.ts'

/**
 * Prefix probabilities by Earley's parser with probabilities (Stolcke 1995): left and unit recursion are summed in
 * closed form by (I - P_L)^-1 and (I - P_U)^-1, so any proper grammar without empty right-hand sides is exact.
 * Forward and inner probabilities are divided by the conditional probability of each token read, so long strings do not
 * underflow, and what is possible is held at 2^-900 or more (see `MIN_PROBABILITY`). Independent of `prefix-automaton.ts`, which
 * is faster where it applies.
 */
interface Item {
  /** -1: the dummy rule that derives the start symbol. */
  readonly rule: number
  readonly dot: number
  readonly start: number
  forward: number
  inner: number
}

interface Column {
  readonly items: Map<string, Item>
  /** Items before nonterminal Z, by Z. */
  readonly waiting: Map<number, Item[]>
}

/** A row of (I - P)^-1: each nonterminal met along the edges of P, and how often it is expected. */
type ClosureRow = ReadonlyMap<number, number>

interface Tables {
  left(nonterminal: number): ClosureRow
  unit(nonterminal: number): ClosureRow
}

/** Reads tokens one by one; after each, the distribution of what follows. */
export class EarleyReader {
  readonly grammar: Pcfg
  private readonly tables: Tables
  private readonly columns: Column[]

  constructor(grammar: Pcfg) {
    rejectCrossed(grammar, 'Earley’s chart')
    this.grammar = grammar
    this.tables = tablesOf(grammar)
    const column = emptyColumn()
    this.add(column, { rule: -1, dot: 0, start: 0, forward: 1, inner: 1 })
    this.predict(column, 0)
    this.columns = [column]
  }

  /** Tokens read. */
  get length(): number {
    return this.columns.length - 1
  }

  /** Forgets all tokens after the first `length`. */
  truncate(length: number): void {
    this.columns.length = Math.min(this.columns.length, length + 1)
  }

  /** P(next token | prefix) by terminal index, and P(end | prefix) as the last entry. Sums to 1. */
  next(): number[] {
    const out = zeros(this.grammar.terminals.length + 1)
    for (const item of this.top.items.values()) {
      const symbol = this.afterDot(item)
      if (symbol === undefined) {
        if (item.rule === -1) out[out.length - 1]! += item.forward
      } else if (isTerminal(symbol)) out[-1 - symbol]! += item.forward
    }
    return out
  }

  /** Reads a token (a terminal index); false, and nothing is read, where it is impossible here. */
  read(token: number): boolean {
    const wanted = terminalCode(token)
    const scanned: Item[] = []
    let probability = 0
    for (const item of this.top.items.values())
      if (this.afterDot(item) === wanted) {
        scanned.push(item)
        probability += item.forward
      }
    if (scanned.length === 0) return false
    const column = emptyColumn()
    for (const { rule, dot, start, forward, inner } of scanned)
      this.add(column, { rule, dot: dot + 1, start, forward: forward / probability, inner: inner / probability })
    this.columns.push(column)
    this.complete(column)
    this.predict(column, this.length)
    return true
  }

  private get top(): Column {
    return this.columns.at(-1) as Column
  }

  private right(rule: number): readonly number[] {
    return rule === -1 ? startOnly : (this.grammar.rules[rule] as PcfgRule).right
  }

  private afterDot(item: Item): number | undefined {
    return this.right(item.rule)[item.dot]
  }

  private add(column: Column, item: Item): void {
    const key = `${item.rule},${item.dot},${item.start}`
    const found = column.items.get(key)
    if (found !== undefined) {
      found.forward = held(found.forward + item.forward)
      found.inner = held(found.inner + item.inner)
      return
    }
    item.forward = held(item.forward)
    item.inner = held(item.inner)
    column.items.set(key, item)
    const symbol = this.afterDot(item)
    if (symbol === undefined || isTerminal(symbol)) return
    const list = column.waiting.get(symbol)
    if (list === undefined) column.waiting.set(symbol, [item])
    else list.push(item)
  }

  private predict(column: Column, position: number): void {
    const wanted = new Map<number, number>()
    for (const [symbol, items] of column.waiting) {
      let forward = 0
      for (const item of items) forward += item.forward
      for (const [y, weight] of this.tables.left(symbol)) wanted.set(y, (wanted.get(y) ?? 0) + forward * weight)
    }
    for (const [y, forward] of wanted)
      for (const rule of this.grammar.rulesOf[y] as readonly number[]) {
        const { probability } = this.grammar.rules[rule] as PcfgRule
        this.add(column, { rule, dot: 0, start: position, forward: forward * probability, inner: probability })
      }
  }

  /** Completed constituents by descending start; unit rules are in the closure and complete nothing themselves. */
  private complete(column: Column): void {
    const byStart: Map<number, number>[] = []
    const note = (item: Item) => {
      if (item.rule === -1 || this.afterDot(item) !== undefined) return
      const rule = this.grammar.rules[item.rule] as PcfgRule
      if (isUnit(rule)) return
      const inner = byStart[item.start] ?? new Map<number, number>()
      byStart[item.start] = inner
      inner.set(rule.left, (inner.get(rule.left) ?? 0) + item.inner)
    }
    for (const item of column.items.values()) note(item)
    for (let start = this.length - 1; start >= 0; start--) {
      const done = byStart[start]
      if (done === undefined) continue
      for (const [symbol, items] of (this.columns[start] as Column).waiting) {
        const row = this.tables.unit(symbol)
        let factor = 0
        for (const [y, inner] of done) {
          const weight = row.get(y)
          if (weight !== undefined) factor += held(weight * inner)
        }
        if (factor > 0)
          for (const { rule, dot, start: from, forward, inner } of items) {
            const next = {
              rule,
              dot: dot + 1,
              start: from,
              forward: held(forward * factor),
              inner: held(inner * factor),
            }
            note(next)
            this.add(column, next)
          }
      }
    }
  }
}

const startOnly: readonly number[] = [0]
const emptyColumn = (): Column => ({ items: new Map(), waiting: new Map() })

const held = (weight: number): number => Math.min(Math.max(weight, MIN_PROBABILITY), 1 / MIN_PROBABILITY)

const tablesOf = memoize(
  (grammar: Pcfg): Tables => ({
    left: closure(meanMatrix(grammar, ({ right }) => right.slice(0, 1))),
    unit: closure(meanMatrix(grammar, (rule) => (isUnit(rule) ? rule.right : []))),
  }),
)

/** The rows of (I - P)^-1, each worked out when it is first wanted. */
function closure(matrix: Rows): (nonterminal: number) => ClosureRow {
  const visits = series(transposed(matrix))
  if (visits.kind === 'diverges') throw new PcfgError('not-terminating', 'left or unit recursion has probability 1')
  const rows: (ClosureRow | undefined)[] = []
  return (nonterminal) => {
    let row = rows[nonterminal]
    if (row === undefined) {
      const expected = visits.of(unit(matrix.length, nonterminal))
      row = new Map(within(matrix, nonterminal).map((y) => [y, held(expected[y]!)]))
      rows[nonterminal] = row
    }
    return row
  }
}

/** What can be reached from a row, itself included, ascending. */
function within(matrix: Rows, from: number): number[] {
  const seen = new Set([from])
  for (const at of seen) for (const next of (matrix[at] as ReadonlyMap<number, number>).keys()) seen.add(next)
  return [...seen].sort((a, b) => a - b)
}

/** Conditional probabilities of each token and of the end (last entry), up to the first impossible one (0). */
export function earleyConditionals(grammar: Pcfg, tokens: readonly number[]): number[] {
  const reader = new EarleyReader(grammar)
  const out: number[] = []
  for (const token of tokens) {
    out.push(reader.next()[token] ?? 0)
    if (!reader.read(token)) return out
  }
  out.push(reader.next().at(-1) as number)
  return out
}

/** Is the string in the language? By the chart alone. */
export function earleyAccepts(grammar: Pcfg, tokens: readonly number[]): boolean {
  const steps = earleyConditionals(grammar, tokens)
  return steps.length === tokens.length + 1 && (steps.at(-1) as number) > 0
}
