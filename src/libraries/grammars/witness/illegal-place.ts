import { memoize } from '../../../core/memo.ts'
import type { Cnf } from '../grammar/cnf.ts'

/**
 * Can the token at `at` not stand there, because no string begins with it (at = 0), none has it right after the token
 * before it, or none ends with it (at = the last place)? The sets of first and last tokens below each symbol are the
 * least that are closed under the rules; a rule that puts two tokens side by side would show in them.
 */
export function checkIllegalPlace(cnf: Cnf, tokens: ArrayLike<number>, at: number): boolean {
  const n = tokens.length
  if (!Number.isInteger(at) || at < 0 || at >= n) return false
  const token = tokens[at] as number
  if (!(token >= 0 && token < cnf.terminals.length)) return true
  const { first, last } = edges(cnf)
  if (at === 0 && !(first[0] as Set<number>).has(token)) return true
  if (at === n - 1 && !(last[0] as Set<number>).has(token)) return true
  if (at === 0) return false
  const before = tokens[at - 1] as number
  for (let rule = 0; rule < cnf.binary.length; rule += 3)
    if (
      (last[cnf.binary[rule + 1] as number] as Set<number>).has(before) &&
      (first[cnf.binary[rule + 2] as number] as Set<number>).has(token)
    )
      return false
  return true
}

const edges = memoize((cnf: Cnf) => ({ first: edgeTokens(cnf, 1), last: edgeTokens(cnf, 2) }))

/** The tokens at the left (child 1) or right (child 2) edge of what each symbol derives. */
function edgeTokens(cnf: Cnf, child: 1 | 2): Set<number>[] {
  const sets = cnf.nonterminals.map(() => new Set<number>())
  for (let at = 0; at < cnf.lexical.length; at += 2) sets[cnf.lexical[at] as number]?.add(cnf.lexical[at + 1] as number)
  for (let grown = true; grown; ) {
    grown = false
    for (let at = 0; at < cnf.binary.length; at += 3) {
      const parent = sets[cnf.binary[at] as number] as Set<number>
      const before = parent.size
      for (const token of sets[cnf.binary[at + child] as number] as Set<number>) parent.add(token)
      if (parent.size > before) grown = true
    }
  }
  return sets
}
