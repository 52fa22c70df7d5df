import type { Cnf } from '../grammar/cnf.ts'

/**
 * Do these rules, applied to the leftmost nonterminal in turn, rewrite the start symbol into just these tokens? Binary
 * rule r is r, lexical rule l is (number of binary rules) + l. No search: linear in the rules.
 */
export function checkDerivation(cnf: Cnf, tokens: ArrayLike<number>, rules: readonly number[]): boolean {
  const binary = cnf.binary.length / 3
  const lexical = cnf.lexical.length / 2
  const stack = [0]
  let read = 0
  for (const rule of rules) {
    const symbol = stack.pop()
    if (symbol === undefined || !Number.isInteger(rule) || rule < 0 || rule >= binary + lexical) return false
    if (rule < binary) {
      if (cnf.binary[3 * rule] !== symbol) return false
      stack.push(cnf.binary[3 * rule + 2] as number, cnf.binary[3 * rule + 1] as number)
    } else {
      const at = 2 * (rule - binary)
      if (cnf.lexical[at] !== symbol || cnf.lexical[at + 1] !== tokens[read]) return false
      read++
    }
  }
  return stack.length === 0 && read === tokens.length
}
