/**
 * A context-free grammar in Chomsky normal form, as RELIC has it: binary rules over nonterminals, lexical rules to
 * one terminal, no empty right-hand sides, the start symbol on no right-hand side. Symbols are integers into the two
 * name lists; nonterminal 0 is the start. No rule stands twice: readers refuse repeated rules. Recognition,
 * parse counts and statistics take the rules as a set all the same.
 */
export interface Cnf {
  readonly nonterminals: readonly string[]
  readonly terminals: readonly string[]
  /** A -> B C, flattened: [A, B, C, A, B, C, ...] */
  readonly binary: Int32Array
  /** A -> t, flattened: [A, t, A, t, ...] */
  readonly lexical: Int32Array
}

/** A binary rule seen from its left child. */
export interface LeftRule {
  readonly parent: number
  readonly right: number
}

/** A binary rule seen from its parent; `rule` is its number in the grammar. */
export interface ParentRule {
  readonly left: number
  readonly right: number
  readonly rule: number
}

/** For every symbol, the different rules in which it is the left child, in the grammar's order. */
export const rulesByLeftChild = (cnf: Cnf): readonly (readonly LeftRule[])[] =>
  collected(cnf, (parent, left, right) => [left, { parent, right }])

/** For every symbol, its different binary rules, in the grammar's order; of a repeated rule, the first. */
export const rulesByParent = (cnf: Cnf): readonly (readonly ParentRule[])[] =>
  collected(cnf, (parent, left, right, rule) => [parent, { left, right, rule }])

function collected<Rule>(
  { binary, nonterminals }: Cnf,
  entry: (parent: number, left: number, right: number, rule: number) => readonly [symbol: number, rule: Rule],
): readonly (readonly Rule[])[] {
  const lists: Rule[][] = nonterminals.map(() => [])
  const seen = new Set<string>()
  for (let rule = 0; 3 * rule < binary.length; rule++) {
    const [parent, left, right] = binary.subarray(3 * rule, 3 * rule + 3) as unknown as [number, number, number]
    const key = `${parent} ${left} ${right}`
    if (seen.has(key)) continue
    seen.add(key)
    const [symbol, own] = entry(parent, left, right, rule)
    ;(lists[symbol] as Rule[]).push(own)
  }
  return lists
}

/** The symbols that rules make of two children, in the grammar's order. */
export function parentsOf({ binary, nonterminals }: Cnf): (left: number, right: number) => readonly number[] {
  const symbols = nonterminals.length
  const parents = new Map<number, number[]>()
  for (let at = 0; at < binary.length; at += 3) {
    const pair = binary[at + 1]! * symbols + binary[at + 2]!
    const known = parents.get(pair)
    if (known === undefined) parents.set(pair, [binary[at]!])
    else known.push(binary[at]!)
  }
  return (left, right) => parents.get(left * symbols + right) ?? none
}

const none: readonly number[] = []

/** The symbols that a rule gives each terminal, each once. */
export function preterminals(cnf: Cnf): readonly (readonly number[])[] {
  const byToken: number[][] = cnf.terminals.map(() => [])
  for (let at = 0; at < cnf.lexical.length; at += 2) {
    const above = byToken[cnf.lexical[at + 1] as number] as number[]
    if (!above.includes(cnf.lexical[at]!)) above.push(cnf.lexical[at]!)
  }
  return byToken
}

/**
 * The rules of a grammar as flat tables, for the tables by length and the samplers. Distinct (left, right) pairs are
 * numbered once, however many parents share them; a parent's rules keep the order they have in the grammar.
 */
export interface RuleIndex {
  readonly symbols: number
  readonly terminals: number
  /** child pairs: `left[p]`, `right[p]` */
  readonly left: Int32Array
  readonly right: Int32Array
  /** the pairs of parent A: `pairs[pairStart[A] .. pairStart[A + 1])` */
  readonly pairStart: Int32Array
  readonly pairs: Int32Array
  /** the terminals of A: `tokens[tokenStart[A] .. tokenStart[A + 1])` */
  readonly tokenStart: Int32Array
  readonly tokens: Int32Array
}

/** Rows `(key, ...)` of a flat table with `stride` numbers a row, counted into `[start[key], start[key + 1])` in row order. */
function groupByFirst(rows: Int32Array, stride: number, keys: number): { start: Int32Array; order: Int32Array } {
  const start = new Int32Array(keys + 1)
  const count = rows.length / stride
  for (let r = 0; r < count; r++) start[rows[r * stride]! + 1]!++
  for (let k = 0; k < keys; k++) start[k + 1]! += start[k]!
  const next = start.slice(0, keys)
  const order = new Int32Array(count)
  for (let r = 0; r < count; r++) order[next[rows[r * stride] as number]!++] = r
  return { start, order }
}

/** Index a grammar. Repeated rules count as often as they are written. */
export function indexRules(grammar: Cnf): RuleIndex {
  const { binary, lexical } = grammar
  const symbols = grammar.nonterminals.length
  const byParent = groupByFirst(binary, 3, symbols)
  const byOwner = groupByFirst(lexical, 2, symbols)
  const numbers = new Map<number, number>()
  const left: number[] = []
  const right: number[] = []
  const pairs = byParent.order.map((rule) => {
    const b = binary[rule * 3 + 1]!
    const c = binary[rule * 3 + 2]!
    const key = b * symbols + c
    let number = numbers.get(key)
    if (number === undefined) {
      number = left.length
      numbers.set(key, number)
      left.push(b)
      right.push(c)
    }
    return number
  })
  return {
    symbols,
    terminals: grammar.terminals.length,
    left: Int32Array.from(left),
    right: Int32Array.from(right),
    pairStart: byParent.start,
    pairs,
    tokenStart: byOwner.start,
    tokens: byOwner.order.map((rule) => lexical[rule * 2 + 1]!),
  }
}
