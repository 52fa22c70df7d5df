import type { Grade, Problem } from '../../../core/index.ts'
import { type Derivation, derivationNodes } from '../grammars/derivation.ts'
import { analyzerOf, ruleSetOf, type Shared, symbolsOf, tokensOf } from '../grammars/grammar.ts'
import type { Given } from './draw.ts'

/**
 * 1 for a derivation of the string, whichever it is. Subscores: `nodes`, the share of the tree's nodes, in preorder, before
 * the first that stands in no derivation of the string (a rule that the grammar has not, a wrong token, a part that its
 * symbol does not derive); `rules`, the share of rules that the grammar has; `leaves`, the share of tokens in place.
 */
export function grade({ shared, given }: Problem<Shared, Given, Derivation>, answer: Derivation): Grade {
  const known = ruleSetOf(shared)
  const exists = answer.map((rule) => known.has(rule.join(' ')))
  const { tokens: codes } = symbolsOf(shared)
  const leaves = answer.flatMap((rule) => rule.slice(1).filter((name) => codes.has(name)))
  const wanted = given.string.split(' ')
  const nodes = derivationNodes(shared, answer)
  // In leftmost order the tokens of a finished tree come as in the string.
  const good = nodes === null ? 0 : goodNodes(shared, given, nodes, exists)
  const share = nodes === null || nodes.length === 0 ? 0 : good / nodes.length
  return {
    value: share === 1 ? 1 : 0,
    parts: {
      nodes: share,
      rules: answer.length === 0 ? 0 : exists.filter(Boolean).length / answer.length,
      leaves: leaves.filter((name, at) => name === wanted[at]).length / Math.max(leaves.length, wanted.length),
    },
  }
}

/** Nodes before the first that no derivation of the string has. */
function goodNodes(
  shared: Shared,
  given: Given,
  nodes: NonNullable<ReturnType<typeof derivationNodes>>,
  exists: readonly boolean[],
): number {
  const tokens = tokensOf(shared, given.string)
  const chart = analyzerOf(shared).chart(tokens)
  const { nonterminals, tokens: codes } = symbolsOf(shared)
  if (nodes[0]?.to !== tokens.length) return 0
  for (const [at, { rule, from }] of nodes.entries()) {
    if (exists[at] !== true) return at
    // Nodes of the children, in order: the first one is next, each other one begins where the one before ended.
    let place = from
    let child = at + 1
    for (const name of rule.slice(1)) {
      if (codes.has(name)) {
        if (codes.get(name) !== tokens[place]) return at
        place++
        continue
      }
      while (nodes[child] !== undefined && nodes[child]!.from < place) child++
      const { to } = nodes[child]!
      if (!chart.has(nonterminals.get(name) ?? -1, place, to)) return at
      place = to
    }
  }
  return nodes.length
}
