import { memoize } from '../../../core/index.ts'
import { CHILD, type Fragment } from '../../../libraries/grammars/grammar/normal-form.ts'
import { isCrossed, pairDerivationOf } from './crossed.ts'
import { analyzerOf, liftedOf, nameOf, type Shared, symbolsOf, tokenName, tokensOf } from './grammar.ts'

/** A rule by names: its left-hand side, then its right-hand side. */
export type NamedRule = readonly string[]

/** A derivation: its rules in the order in which they rewrite the leftmost nonterminal, from S on. */
export type Derivation = readonly NamedRule[]

/** The printed rules behind rules of the lifted grammar, both in leftmost order. */
export function printedRules(shared: Shared, derivation: readonly number[]): Derivation {
  const { rules, fragments } = liftedOf(shared)
  const out: NamedRule[] = []
  const pending = derivation.length === 0 ? [] : [CHILD]
  let next = 0
  for (let item = pending.pop(); item !== undefined; item = pending.pop())
    if (item === CHILD) pending.push(...(fragments[derivation[next++] as number] as Fragment).toReversed())
    else {
      const { left, right } = rules[item]!
      out.push([left, ...right.map(({ name }) => name)])
    }
  return out
}

/**
 * A derivation of a string as rules of the lifted grammar (over pairs: of the grammar's text), the first of its chart; empty
 * outside the language.
 */
export const rulesOf = (shared: Shared, string: string): readonly number[] =>
  isCrossed(shared)
    ? derivationOf(shared, string).map((rule) => ruleNumbersOf(shared).get(rule.join(' '))!)
    : (analyzerOf(shared).derivation(tokensOf(shared, string)) ?? [])

const ruleNumbersOf = memoize((shared: Shared) => new Map(liftedOf(shared).rules.map((rule, at) => [nameOf(rule), at])))

/** A derivation of a string, the first of its chart; empty outside the language. */
export const derivationOf = (shared: Shared, string: string): Derivation =>
  isCrossed(shared) ? pairDerivationOf(shared, tokensOf(shared, string)) : printedRules(shared, rulesOf(shared, string))

/** A rule of a derivation with the tokens that it covers, `from` to `to` - 1. */
export interface DerivationNode {
  readonly rule: NamedRule
  readonly from: number
  readonly to: number
  /** Nodes of its subtree, itself counted. */
  readonly size: number
}

/**
 * The nodes of a derivation in preorder, with what each covers; null where the rules do not rewrite the start symbol into tokens alone.
 * Names that are no tokens of the grammar count as nonterminals. Linear.
 */
export function derivationNodes(shared: Shared, derivation: Derivation): readonly DerivationNode[] | null {
  const { tokens } = symbolsOf(shared)
  const nodes: { readonly rule: NamedRule; readonly from: number; to: number; size: number }[] = []
  const pending = [liftedOf(shared).start]
  let read = 0
  for (const rule of derivation) {
    if (pending.pop() !== rule[0]) return null
    nodes.push({ rule, from: read, to: read, size: 1 })
    for (let k = rule.length - 1; k > 0; k--) pending.push(rule[k] as string)
    while (pending.length > 0 && tokens.has(pending.at(-1) as string)) {
      pending.pop()
      read++
    }
  }
  if (pending.length > 0) return null
  // Ends, from the last node to the first: a node's children lie on top, the first child uppermost.
  const built: (typeof nodes)[number][] = []
  for (const node of nodes.toReversed()) {
    for (const name of node.rule.slice(1))
      if (tokens.has(name)) node.to++
      else {
        const child = built.pop()!
        node.to += child.to - child.from
        node.size += child.size
      }
    built.push(node)
  }
  return nodes
}

/** The symbols of a node's rule with what each covers. */
export function partsOfNode(shared: Shared, nodes: readonly DerivationNode[], at: number) {
  const { tokens } = symbolsOf(shared)
  const { rule, from } = nodes[at]!
  let place = from
  let child = at + 1
  return rule.slice(1).map((name) => {
    const start = place
    const isToken = tokens.has(name)
    if (isToken) place++
    else {
      place = nodes[child]!.to
      child += nodes[child]!.size
    }
    return { name, isToken, from: start, to: place }
  })
}

/** A derivation as a tree in brackets: `(S (NT1 t3) (NT2 t4))`. */
export function bracketed(
  shared: Shared,
  derivation: Derivation,
  show: (code: string) => string = (code) => code,
): string {
  const { tokens } = symbolsOf(shared)
  let out = ''
  /** What is still to be written: names, and null where a bracket closes. */
  const pending: (string | null)[] = [liftedOf(shared).start]
  let next = 0
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === null) out += ')'
    else if (tokens.has(name)) out += ` ${tokenName(shared, show(name))}`
    else {
      out += `${out === '' ? '' : ' '}(${show(name)}`
      pending.push(null, ...(derivation[next++] ?? []).slice(1).toReversed())
    }
  }
  return out
}
