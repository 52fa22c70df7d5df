import type { Cnf } from './cnf.ts'

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

/** The symbols that a rule gives each terminal, each once. */
export function preterminals(cnf: Cnf): readonly (readonly number[])[] {
  const byToken: number[][] = cnf.terminals.map(() => [])
  for (let at = 0; at < cnf.lexical.length; at += 2) {
    const above = byToken[cnf.lexical[at + 1] as number] as number[]
    if (!above.includes(cnf.lexical[at] as number)) above.push(cnf.lexical[at] as number)
  }
  return byToken
}
