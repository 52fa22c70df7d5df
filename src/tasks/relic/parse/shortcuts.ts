import { memoize, pick, type Stream } from '../../../core/index.ts'
import { tokenEdges } from '../../../libraries/grammars/grammar/adjacency.ts'
import { parentsOf, preterminals, rulesByParent } from '../../../libraries/grammars/grammar/cnf.ts'
import { useful } from '../../../libraries/grammars/grammar/trim.ts'
import { isCrossed } from '../grammars/crossed.ts'
import { type Derivation, printedRules } from '../grammars/derivation.ts'
import { isOwn, liftedOf, type Shared } from '../grammars/grammar.ts'
import { isOneBranchingPairs, lookAheadPairs } from './pair-shortcuts.ts'

const tablesOf = memoize((shared: Shared) => {
  const { cnf } = liftedOf(shared)
  return {
    parents: parentsOf(cnf),
    rules: rulesByParent(cnf),
    above: preterminals(cnf),
    edges: tokenEdges(cnf, useful(cnf)),
  }
})

/** Has the string a parse all of whose branches go to the left, or to the right? */
export function isOneBranching(shared: Shared, tokens: ArrayLike<number>): boolean {
  if (isCrossed(shared)) return isOneBranchingPairs(shared, tokens)
  const { parents, above } = tablesOf(shared)
  const n = tokens.length
  return [false, true].some((right) => {
    const at = (k: number): readonly number[] => above[tokens[right ? n - 1 - k : k]!] ?? []
    let reached = new Set<number>(at(0))
    for (let k = 1; k < n; k++) {
      const next = new Set<number>()
      for (const done of reached)
        for (const other of at(k))
          for (const parent of right ? parents(other, done) : parents(done, other)) next.add(parent)
      reached = next
    }
    return reached.has(0)
  })
}

/**
 * A derivation from the top without going back: at every span a random rule and split whose parts can begin and end with
 * the tokens at their edges; null where that comes to an end.
 */
export function lookAhead(shared: Shared, tokens: ArrayLike<number>, stream: Stream): Derivation | null {
  if (isCrossed(shared)) return lookAheadPairs(shared, tokens, stream)
  const { cnf } = liftedOf(shared)
  const { rules, above, edges } = tablesOf(shared)
  const { words, firsts, lasts } = edges
  const holds = (rows: Int32Array, symbol: number, token: number): boolean =>
    ((rows[symbol * words + (token >>> 5)]! >>> (token & 31)) & 1) === 1
  const binary = cnf.binary.length / 3
  const derivation: number[] = []
  const pending = [{ symbol: 0, from: 0, to: tokens.length }]
  for (let span = pending.pop(); span !== undefined; span = pending.pop()) {
    const { symbol, from, to } = span
    if (to - from === 1) {
      if (!above[tokens[from]!]?.includes(symbol)) return null
      derivation.push(binary + lexicalRule(cnf.lexical, symbol, tokens[from]!))
      continue
    }
    const options: { rule: number; left: number; right: number; split: number }[] = []
    for (const { left, right, rule } of rules[symbol]!) {
      if (!holds(firsts, left, tokens[from]!) || !holds(lasts, right, tokens[to - 1]!)) continue
      for (let split = from + 1; split < to; split++)
        if (
          holds(lasts, left, tokens[split - 1]!) &&
          holds(firsts, right, tokens[split]!) &&
          (split - from > 1 || above[tokens[from]!]!.includes(left)) &&
          (to - split > 1 || above[tokens[split]!]!.includes(right))
        )
          options.push({ rule, left, right, split })
    }
    if (options.length === 0) return null
    const { rule, left, right, split } = pick(stream, options)
    derivation.push(rule)
    pending.push({ symbol: right, from: split, to }, { symbol: left, from, to: split })
  }
  return printedRules(shared, derivation)
}

/** Tries of the look-ahead parser that a string withstands; of a grammar of one's own fewer, since its strings are what they are. */
const ATTACKS = { drawn: 64, own: 8 } as const

/** Does neither a one-branching tree nor a parser with look-ahead at the edges derive the string? */
export const withstandsParsers = (shared: Shared, tokens: ArrayLike<number>, stream: Stream): boolean =>
  !isOneBranching(shared, tokens) && withstandsLookAhead(shared, tokens, stream)

/** As that, of grammars whose derivations all branch to one side. */
export const withstandsLookAhead = (shared: Shared, tokens: ArrayLike<number>, stream: Stream): boolean =>
  !Array.from({ length: isOwn(shared) ? ATTACKS.own : ATTACKS.drawn }).some(
    () => lookAhead(shared, tokens, stream) !== null,
  )

function lexicalRule(lexical: Int32Array, symbol: number, token: number): number {
  for (let at = 0; at < lexical.length; at += 2) if (lexical[at] === symbol && lexical[at + 1] === token) return at / 2
  throw new RangeError('no such rule')
}
