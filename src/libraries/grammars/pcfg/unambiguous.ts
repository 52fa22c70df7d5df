import { isTerminal, type Pcfg, type PcfgRule } from './grammar.ts'

/**
 * Is it plain from the rules that every string has one derivation? So it is where every rule has at most one nonterminal
 * and begins with a token, and two rules of one nonterminal that begin alike are one that goes on and one that ends no
 * later than the other's own tokens: the first token and whether the string ends then say which. The entropy of strings
 * is that of derivations there. `false` says nothing.
 */
export function plainlyUnambiguous(grammar: Pcfg): boolean {
  return grammar.rulesOf.every((numbers) => {
    const byFirst = Map.groupBy(
      numbers.map((r) => grammar.rules[r] as PcfgRule),
      ({ right }) => right[0] as number,
    )
    return [...byFirst].every(([first, rules]) => {
      const goOn = rules.filter(({ right }) => !right.every(isTerminal))
      const end = rules.filter(({ right }) => right.every(isTerminal))
      if (!isTerminal(first) || goOn.length > 1 || end.length > 1) return false
      const own = goOn[0]?.right.filter(isTerminal).length ?? 0
      if (goOn.some(({ right }) => own + 1 < right.length)) return false
      return goOn.length === 0 || end.length === 0 || (end[0]?.right.length ?? 0) <= own
    })
  })
}
