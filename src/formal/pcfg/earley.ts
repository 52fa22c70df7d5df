import { PcfgError } from './error.ts'
import { isTerminal, type Pcfg, type PcfgRule, terminalCode } from './grammar.ts'
import { invert, zeros } from './linear.ts'

/**
 * Prefix probabilities by Earley's parser with probabilities (Stolcke 1995): left and unit recursion are summed in
 * closed form by (I - P_L)^-1 and (I - P_U)^-1, so any proper grammar without empty right-hand sides is exact.
 * Forward and inner probabilities are divided by the conditional probability of each token read, so long strings do not
 * underflow. Independent of `prefix-automaton.ts`, which is faster where it applies.
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

interface Tables {
  readonly left: readonly (readonly number[])[]
  readonly unit: readonly (readonly number[])[]
}

/** Reads tokens one by one; after each, the distribution of what follows. */
export class EarleyReader {
  readonly grammar: Pcfg
  private readonly tables: Tables
  private readonly columns: Column[]

  constructor(grammar: Pcfg) {
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
    if (probability <= 0) return false
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
      found.forward += item.forward
      found.inner += item.inner
      return
    }
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
      const row = this.tables.left[symbol] as readonly number[]
      for (const [y, weight] of row.entries()) if (weight > 0) wanted.set(y, (wanted.get(y) ?? 0) + forward * weight)
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
      if (item.rule === -1 || this.afterDot(item) !== undefined || this.isUnit(item.rule)) return
      const inner = byStart[item.start] ?? new Map<number, number>()
      byStart[item.start] = inner
      const left = (this.grammar.rules[item.rule] as PcfgRule).left
      inner.set(left, (inner.get(left) ?? 0) + item.inner)
    }
    for (const item of column.items.values()) note(item)
    for (let start = this.length - 1; start >= 0; start--) {
      const done = byStart[start]
      if (done === undefined) continue
      for (const [symbol, items] of (this.columns[start] as Column).waiting) {
        const row = this.tables.unit[symbol] as readonly number[]
        let factor = 0
        for (const [y, inner] of done) factor += row[y]! * inner
        if (factor > 0)
          for (const { rule, dot, start: from, forward, inner } of items) {
            const next = { rule, dot: dot + 1, start: from, forward: forward * factor, inner: inner * factor }
            const completed = this.afterDot(next) === undefined
            if (completed) note({ ...next })
            this.add(column, next)
          }
      }
    }
  }

  private isUnit(rule: number): boolean {
    const right = this.right(rule)
    return right.length === 1 && !isTerminal(right[0] as number)
  }
}

const startOnly: readonly number[] = [0]
const emptyColumn = (): Column => ({ items: new Map(), waiting: new Map() })

const tableCache = new WeakMap<Pcfg, Tables>()
function tablesOf(grammar: Pcfg): Tables {
  let found = tableCache.get(grammar)
  if (found === undefined) {
    found = { left: closure(grammar, () => true), unit: closure(grammar, (rule) => rule.right.length === 1) }
    tableCache.set(grammar, found)
  }
  return found
}

/** (I - P)^-1 with P[x][y] = probability of x -> y ... among the rules that count. */
function closure(grammar: Pcfg, counts: (rule: PcfgRule) => boolean): number[][] {
  const n = grammar.nonterminals.length
  const matrix = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => (i === j ? 1 : 0)))
  for (const rule of grammar.rules) {
    const first = rule.right[0] as number
    if (!isTerminal(first) && counts(rule)) (matrix[rule.left] as number[])[first]! -= rule.probability
  }
  const inverse = invert(matrix)
  if (inverse === null) throw new PcfgError('not-terminating', 'left or unit recursion has probability 1')
  return inverse
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
