import { analyzerOf, liftedOf, type Shared, symbolsOf, tokensOf } from './grammar.ts'

/** A rule by names: its left-hand side, then its right-hand side. */
export type NamedRule = readonly string[]

/** A derivation: its rules in the order in which they rewrite the leftmost nonterminal, from S on. */
export type Derivation = readonly NamedRule[]

/** The printed rules behind rules of the lifted grammar, both in leftmost order. */
export function printedRules(shared: Shared, derivation: readonly number[]): Derivation {
  const { rules, ruleOf } = liftedOf(shared)
  return derivation.flatMap((number) => {
    const rule = rules[ruleOf[number] as number]
    return rule === undefined ? [] : [[rule.left, ...rule.right.map(({ name }) => name)]]
  })
}

/** A derivation of a string as rules of the lifted grammar, the first of its chart; empty outside the language. */
export const rulesOf = (shared: Shared, string: string): readonly number[] =>
  analyzerOf(shared).derivation(tokensOf(shared, string)) ?? []

/** A derivation of a string, the first of its chart; empty outside the language. */
export const derivationOf = (shared: Shared, string: string): Derivation =>
  printedRules(shared, rulesOf(shared, string))

/** A rule of a derivation with the tokens that it covers, `from` to `to` - 1. */
export interface DerivationNode {
  readonly rule: NamedRule
  readonly from: number
  readonly to: number
}

/**
 * The nodes of a derivation in preorder, with what each covers; null where the rules do not rewrite S into tokens alone.
 * Names that are no tokens of the grammar count as nonterminals. Linear.
 */
export function derivationNodes(shared: Shared, derivation: Derivation): readonly DerivationNode[] | null {
  const { tokens } = symbolsOf(shared)
  const nodes: { readonly rule: NamedRule; readonly from: number; to: number }[] = []
  const pending = ['S']
  let read = 0
  for (const rule of derivation) {
    if (pending.pop() !== rule[0]) return null
    nodes.push({ rule, from: read, to: read })
    for (let k = rule.length - 1; k > 0; k--) pending.push(rule[k] as string)
    while (pending.length > 0 && tokens.has(pending.at(-1) as string)) {
      pending.pop()
      read++
    }
  }
  if (pending.length > 0) return null
  // Ends, from the last node to the first: the widths of a node's children lie on top, the first child uppermost.
  const widths: number[] = []
  for (const node of nodes.toReversed()) {
    let width = 0
    for (const name of node.rule.slice(1)) width += tokens.has(name) ? 1 : (widths.pop() as number)
    widths.push(width)
    node.to = node.from + width
  }
  return nodes
}

/** A derivation as a tree in brackets: `(S (NT1 t3) (NT2 t4))`. */
export function bracketed(
  shared: Shared,
  derivation: Derivation,
  show: (code: string) => string = (code) => code,
): string {
  const { tokens } = symbolsOf(shared)
  let out = ''
  /** What is still to be written: names, and the brackets that close. */
  const pending = ['S']
  let next = 0
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (name === ')') out += ')'
    else if (tokens.has(name)) out += ` ${show(name)}`
    else {
      out += `${out === '' ? '' : ' '}(${show(name)}`
      pending.push(')', ...(derivation[next++] ?? []).slice(1).toReversed())
    }
  }
  return out
}
