import type { Cnf } from './cnf.ts'

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
  /** the pairs of parent A: `pairs[pairStart[A] .. pairStart[A + 1])`; `rules` has the rule number beside each */
  readonly pairStart: Int32Array
  readonly pairs: Int32Array
  readonly rules: Int32Array
  /** the terminals of A: `tokens[tokenStart[A] .. tokenStart[A + 1])`; `lexicalRules` has the rule number beside each */
  readonly tokenStart: Int32Array
  readonly tokens: Int32Array
  readonly lexicalRules: Int32Array
}

/** Rows `(key, ...)` of a flat table with `stride` numbers a row, counted into `[start[key], start[key + 1])` in row order. */
function groupByFirst(rows: Int32Array, stride: number, keys: number): { start: Int32Array; order: Int32Array } {
  const start = new Int32Array(keys + 1)
  const count = rows.length / stride
  for (let r = 0; r < count; r++) start[(rows[r * stride] as number) + 1]!++
  for (let k = 0; k < keys; k++) start[k + 1]! += start[k] as number
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
    const b = binary[rule * 3 + 1] as number
    const c = binary[rule * 3 + 2] as number
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
    rules: byParent.order,
    tokenStart: byOwner.start,
    tokens: byOwner.order.map((rule) => lexical[rule * 2 + 1] as number),
    lexicalRules: byOwner.order,
  }
}
