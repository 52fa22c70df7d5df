import { memoize } from '../../../core/index.ts'
import { CHILD, type Fragment } from '../../../libraries/grammars/grammar/normal-form.ts'
import {
  arrangementOf,
  isCrossed,
  pairChartOf,
  pairDerivationOf,
  pairGrammarOf,
  placeOf,
  stringsOf,
} from './crossed.ts'
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

/** A symbol of a rule with what it covers: begin and end of its string, or of each string of its pair. */
interface Part {
  readonly name: string
  readonly isToken: boolean
  readonly bounds: readonly number[]
}

/** A rule of a derivation with what it covers. */
export interface DerivationNode {
  readonly rule: NamedRule
  readonly bounds: readonly number[]
  readonly parts: readonly Part[]
  /** Nodes of its subtree, itself counted. */
  readonly size: number
}

/**
 * The nodes of a tree in preorder, with what each covers of its leaves; null where the rules do not rewrite the start symbol into tokens
 * alone. Names that are no tokens of the grammar count as nonterminals. Linear.
 */
export function treeNodes(shared: Shared, derivation: Derivation): readonly DerivationNode[] | null {
  const { tokens } = symbolsOf(shared)
  const nodes: {
    readonly rule: NamedRule
    readonly bounds: [from: number, to: number]
    parts: Part[]
    size: number
  }[] = []
  const pending = [liftedOf(shared).start]
  let read = 0
  for (const rule of derivation) {
    if (pending.pop() !== rule[0]) return null
    nodes.push({ rule, bounds: [read, read], parts: [], size: 1 })
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
    for (const name of node.rule.slice(1)) {
      const child = tokens.has(name) ? null : built.pop()!
      const from = node.bounds[1]
      node.bounds[1] = child?.bounds[1] ?? from + 1
      node.size += child?.size ?? 0
      node.parts.push({ name, isToken: child === null, bounds: [from, node.bounds[1]] })
    }
    built.push(node)
  }
  return nodes
}

/** The nodes of a derivation in preorder, with what each covers of the string that it writes; null where it is none. */
export function derivationNodes(shared: Shared, derivation: Derivation): readonly DerivationNode[] | null {
  const nodes = treeNodes(shared, derivation)
  return nodes !== null && isCrossed(shared) ? pairNodes(shared, nodes) : nodes
}

/** The nodes of a tree over pairs; null where its rules do not fit. A rule that the grammar has not joins its parts as (a c, b d). */
function pairNodes(shared: Shared, nodes: readonly DerivationNode[]): readonly DerivationNode[] | null {
  const { start } = liftedOf(shared)
  const isLeaf = ({ parts }: DerivationNode): boolean => parts.every(({ isToken }) => isToken)
  const isFit = (node: DerivationNode, at: number): boolean =>
    node.parts.length === 2 &&
    node.parts[0]!.isToken === node.parts[1]!.isToken &&
    (node.rule[0] === start) === (at === 0)
  if (!nodes.every(isFit) || isLeaf(nodes[0]!)) return null
  const arrangements = nodes.map((node, at) =>
    isLeaf(node) ? null : stringsOf(arrangementOf(shared, node.rule.join(' ')) ?? (at === 0 ? 'a c b d' : 'a c, b d')),
  )
  const childrenOf = (at: number): readonly number[] => [at + 1, at + 1 + nodes[at + 1]!.size]
  /** Tokens of each string of a node. */
  const lengths: number[][] = []
  const lengthOf = (at: number, letter: string): number => {
    const [child, string] = placeOf(letter)
    return lengths[childrenOf(at)[child]!]![string]!
  }
  for (let at = nodes.length - 1; at >= 0; at--)
    lengths[at] = arrangements[at]?.map((letters) =>
      letters.reduce((sum, letter) => sum + lengthOf(at, letter), 0),
    ) ?? [1, 1]
  const bounds: number[][] = nodes.map(() => [])
  bounds[0] = [0, lengths[0]![0]!]
  for (const [at, arrangement] of arrangements.entries())
    for (const [string, letters] of (arrangement ?? []).entries()) {
      let place = bounds[at]![2 * string]!
      for (const letter of letters) {
        const [child, own] = placeOf(letter)
        const end = place + lengthOf(at, letter)
        const covered = bounds[childrenOf(at)[child]!]!
        covered[2 * own] = place
        covered[2 * own + 1] = end
        place = end
      }
    }
  return nodes.map((node, at) => ({
    ...node,
    bounds: bounds[at]!,
    parts: node.parts.map((part, k) => ({
      ...part,
      bounds: part.isToken ? bounds[at]!.slice(2 * k, 2 * k + 2) : bounds[childrenOf(at)[k]!]!,
    })),
  }))
}

/** The string that a derivation writes, by names. */
export function leavesOf(nodes: readonly DerivationNode[]): readonly string[] {
  const out: string[] = []
  for (const { parts } of nodes) for (const { name, isToken, bounds } of parts) if (isToken) out[bounds[0]!] = name
  return out
}

/** Tokens that bounds cover. */
export const widthOf = (bounds: readonly number[]): number =>
  bounds.reduce((sum, bound, at) => sum + (at % 2 === 0 ? -bound : bound), 0)

/** A symbol over the tokens that it covers, counted from 1, both ends included: `NT5[1-4]`; over pairs `NT5[1-2, 7]`. */
export function over(shared: Shared, symbol: string, bounds: readonly number[]): string {
  const range = (from: number, to: number): string =>
    isCrossed(shared) && to - from === 1 ? `${to}` : `${from + 1}-${to}`
  const [from = 0, to = 0, ...second] = bounds
  return `${symbol}[${[range(from, to), ...(second.length === 0 ? [] : [range(second[0]!, second[1]!)])].join(', ')}]`
}

/** Does a symbol derive what the bounds cover? */
export function derives(shared: Shared, tokens: readonly number[], name: string, bounds: readonly number[]): boolean {
  if (isCrossed(shared))
    return pairChartOf(shared, tokens).find(pairGrammarOf(shared).nonterminals.indexOf(name), bounds) !== undefined
  const [from, to] = bounds as [number, number]
  if (from === to) return liftedOf(shared).empty.has(name)
  const symbol = symbolsOf(shared).nonterminals.get(name) ?? -1
  return analyzerOf(shared).chart(tokens).has(symbol, from, to)
}

/** Everything that some symbol derives, each with all symbols that do. */
export function cellsOf(
  shared: Shared,
  tokens: readonly number[],
): readonly { readonly bounds: readonly number[]; readonly names: readonly string[] }[] {
  const names = new Map([...symbolsOf(shared).nonterminals].map(([name, symbol]) => [symbol, name]))
  if (!isCrossed(shared))
    return analyzerOf(shared)
      .chart(tokens)
      .cells()
      .map(([from = 0, to = 0, ...symbols]) => ({
        bounds: [from, to],
        names: symbols.flatMap((symbol) => names.get(symbol) ?? []),
      }))
      .filter((cell) => cell.names.length > 0)
  const { nonterminals } = pairGrammarOf(shared)
  const cells = Map.groupBy(pairChartOf(shared, tokens).items, ({ bounds }) => bounds.join(' '))
  return [...cells.values()].map((items) => ({
    bounds: items[0]!.bounds,
    names: items.map(({ symbol }) => nonterminals[symbol]!),
  }))
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
