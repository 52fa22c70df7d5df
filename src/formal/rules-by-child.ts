import type { Cnf } from './grammar.ts'

/** Binary rules by one child, as flat lists for the inner loops of the chart passes. */
export interface RulesByChild {
  readonly start: Int32Array
  /** For child b: its sibling and the parent, in turn, at rules[start[b]] .. rules[start[b + 1] - 1]. */
  readonly rules: Int32Array
}

/** The different binary rules by their left (1) or right (2) child, in the grammar's order; a repeated rule counts once. */
export function rulesByChild({ binary, nonterminals }: Cnf, child: 1 | 2): RulesByChild {
  const own: number[][] = nonterminals.map(() => [])
  const seen = new Set<string>()
  for (let at = 0; at < binary.length; at += 3) {
    const key = binary.subarray(at, at + 3).join()
    if (seen.has(key)) continue
    seen.add(key)
    ;(own[binary[at + child] as number] as number[]).push(binary[at + 3 - child] as number, binary[at] as number)
  }
  const start = new Int32Array(own.length + 1)
  for (const [b, rules] of own.entries()) start[b + 1] = (start[b] as number) + rules.length
  return { start, rules: Int32Array.from(own.flat()) }
}

/** The symbols that a rule gives each terminal, each once. */
export function preterminals(cnf: Cnf): number[][] {
  const byToken: number[][] = cnf.terminals.map(() => [])
  for (let at = 0; at < cnf.lexical.length; at += 2) {
    const above = byToken[cnf.lexical[at + 1] as number] as number[]
    if (!above.includes(cnf.lexical[at] as number)) above.push(cnf.lexical[at] as number)
  }
  return byToken
}
