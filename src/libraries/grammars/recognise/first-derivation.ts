import type { Cnf } from '../grammar/cnf.ts'
import type { ParentRule } from '../grammar/rule-lists.ts'
import type { ParseChart } from './chart.ts'

/**
 * The derivation with the first rule and, for it, the leftmost split everywhere, as rule numbers from left to right and
 * top down; null outside the language. `rules`: the binary rules of every symbol.
 */
export function firstDerivation(cnf: Cnf, rules: readonly (readonly ParentRule[])[]) {
  const binary = cnf.binary.length / 3
  const lexical = rulesByTerminal(cnf)
  return (chart: ParseChart, tokens: ArrayLike<number>): number[] | null => {
    const n = tokens.length
    if (n === 0 || !chart.has(0, 0, n)) return null
    const out: number[] = []
    // Symbols still to be derived, the leftmost on top, each up to its end: where it begins is where the last one ended.
    const symbols = [0]
    const ends = [n]
    for (let from = 0; from < n; ) {
      const symbol = symbols.pop() as number
      const to = ends.pop() as number
      if (to - from === 1) {
        out.push(binary + (lexical[symbol]?.get(tokens[from] as number) as number))
        from = to
        continue
      }
      const { rule, split } = firstSplit(rules[symbol] as readonly ParentRule[], chart, from, to)
      out.push(rule)
      symbols.push(cnf.binary[3 * rule + 2] as number, cnf.binary[3 * rule + 1] as number)
      ends.push(to, split)
    }
    return out
  }
}

/** For every symbol, the number of its first lexical rule for each terminal. */
function rulesByTerminal({ lexical, nonterminals }: Cnf): readonly ReadonlyMap<number, number>[] {
  const out = nonterminals.map(() => new Map<number, number>())
  for (let at = lexical.length - 2; at >= 0; at -= 2) out[lexical[at] as number]?.set(lexical[at + 1] as number, at / 2)
  return out
}

function firstSplit(
  own: readonly ParentRule[],
  chart: ParseChart,
  from: number,
  to: number,
): { readonly rule: number; readonly split: number } {
  for (const { left, right, rule } of own) {
    const split = chart.firstSplit(left, right, from, to)
    if (split !== null) return { rule, split }
  }
  throw new Error('a span holds a symbol that no rule explains')
}

/** The height of a derivation's tree, a word counting 1. */
export function derivationHeight(cnf: Cnf, rules: readonly number[]): number {
  const binary = cnf.binary.length / 3
  const depths = [1]
  let height = 0
  for (const rule of rules) {
    const depth = depths.pop() as number
    if (rule < binary) depths.push(depth + 1, depth + 1)
    else height = Math.max(height, depth + 1)
  }
  return height
}
