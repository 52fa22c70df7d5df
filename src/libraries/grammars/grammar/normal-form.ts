import { type Cfg, type CfgSymbol, cnfOf, nonterminal } from './cfg.ts'
import type { Cnf } from './cnf.ts'

/**
 * What a rule in Chomsky normal form stands for: numbers of the rules that were given, in leftmost order, and {@link CHILD} where
 * its first and its second child are derived.
 */
export type Fragment = readonly number[]
export const CHILD = -1

/** Chomsky normal form of any grammar. */
export interface NormalForm {
  /** derives just the non-empty strings of the language */
  readonly grammar: Cnf
  /** whether the empty string belongs to the language */
  readonly derivesEmpty: boolean
  /** By rule of `grammar`, binary ones first: of several ways to read it, one. */
  readonly fragments: readonly Fragment[]
  /** The symbols that derive the empty string. */
  readonly empty: ReadonlySet<string>
}

interface Rule {
  readonly left: string
  readonly right: readonly CfgSymbol[]
  readonly fragment: Fragment
}

/**
 * Converts a grammar to Chomsky normal form in the order that keeps it small (Lange and Leiss 2009): terminals lifted
 * out of long rules, long rules cut in two, then empty and unit rules removed. Weights are dropped; symbols keep their
 * names, new ones are numbered after the symbol they serve. The grammar may grow with the square of the unit chains.
 *
 * @example
 * import { normalForm, parseNltkGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const { grammar, derivesEmpty } = normalForm(parseNltkGrammar("S -> 'a' S 'b' |"))
 * console.log(derivesEmpty, grammar.terminals) // true [ 'a', 'b' ]
 */
export function normalForm(cfg: Cfg): NormalForm {
  const names = new Set([
    cfg.start,
    ...cfg.rules.flatMap(({ left, right }) => [left, ...right.map(({ name }) => name)]),
  ])
  const counts = new Map<string, number>()
  const fresh = (base: string): string => {
    let count = counts.get(base) ?? 1
    while (names.has(`${base}_${count}`)) count++
    counts.set(base, count + 1)
    names.add(`${base}_${count}`)
    return `${base}_${count}`
  }
  const onRight = cfg.rules.some(({ right }) =>
    right.some(({ kind, name }) => kind === 'nonterminal' && name === cfg.start),
  )
  const start = onRight ? fresh(cfg.start) : cfg.start
  const rules: Rule[] = onRight ? [{ left: start, right: [nonterminal(cfg.start)], fragment: [CHILD] }] : []
  const lifted = new Map<string, string>()
  for (const [number, { left, right }] of cfg.rules.entries()) {
    if (right.length < 2) {
      rules.push({ left, right, fragment: right[0]?.kind === 'nonterminal' ? [number, CHILD] : [number] })
      continue
    }
    const symbols = right.map((symbol) => {
      if (symbol.kind === 'nonterminal') return symbol
      let name = lifted.get(symbol.name)
      if (name === undefined) {
        name = fresh('T')
        lifted.set(symbol.name, name)
        rules.push({ left: name, right: [symbol], fragment: [] })
      }
      return nonterminal(name)
    })
    let parent = left
    let fragment: Fragment = [number, CHILD, CHILD]
    for (let at = 0; at < symbols.length - 2; at++) {
      const rest = fresh(left)
      rules.push({ left: parent, right: [symbols[at] as CfgSymbol, nonterminal(rest)], fragment })
      parent = rest
      fragment = [CHILD, CHILD]
    }
    rules.push({ left: parent, right: symbols.slice(-2), fragment })
  }
  const empty = deriving(rules)
  const units = new Map<string, Map<string, Fragment>>()
  const solid: Rule[] = []
  const unit = (left: string, right: string, fragment: Fragment) => {
    const own = units.get(left) ?? new Map<string, Fragment>()
    units.set(left, own)
    if (!own.has(right)) own.set(right, fragment)
  }
  for (const rule of rules) {
    const { left, right, fragment } = rule
    const [first, second] = right
    if (first === undefined) continue
    if (second === undefined && first.kind === 'nonterminal') unit(left, first.name, fragment)
    else solid.push(rule)
    if (second === undefined) continue
    const [withoutFirst, withoutSecond] = [empty.get(first.name), empty.get(second.name)]
    if (withoutSecond !== undefined) unit(left, first.name, filled(fragment, [CHILD], withoutSecond))
    if (withoutFirst !== undefined) unit(left, second.name, filled(fragment, withoutFirst, [CHILD]))
  }
  const byLeft = Map.groupBy(solid, ({ left }) => left)
  const out = new Map<string, Rule & { readonly weight: null }>()
  for (const left of new Set([start, ...rules.map((rule) => rule.left)])) {
    const reached = new Map<string, Fragment>([[left, [CHILD]]])
    for (const [name, above] of reached)
      for (const [next, fragment] of units.get(name) ?? [])
        if (!reached.has(next)) reached.set(next, filled(above, fragment))
    for (const [name, above] of reached)
      for (const { right, fragment } of byLeft.get(name) ?? []) {
        const key = JSON.stringify([left, right])
        if (!out.has(key)) out.set(key, { left, right, weight: null, fragment: filled(above, fragment) })
      }
  }
  const all = [...out.values()]
  return {
    grammar: cnfOf({ start, rules: all }),
    derivesEmpty: empty.has(start),
    fragments: [2, 1].flatMap((size) => all.filter(({ right }) => right.length === size).map((rule) => rule.fragment)),
    empty: new Set(empty.keys()),
  }
}

/** A fragment with its children replaced, in order. */
function filled(fragment: Fragment, ...children: readonly Fragment[]): Fragment {
  let next = 0
  return fragment.flatMap((item) => (item === CHILD ? (children[next++] as Fragment) : [item]))
}

/** The nonterminals that derive the empty string, with a derivation. */
function deriving(rules: readonly Rule[]): ReadonlyMap<string, Fragment> {
  const empty = new Map<string, Fragment>()
  for (let grown = true; grown; ) {
    grown = false
    for (const { left, right, fragment } of rules)
      if (!empty.has(left) && right.every(({ kind, name }) => kind === 'nonterminal' && empty.has(name))) {
        empty.set(left, filled(fragment, ...right.map(({ name }) => empty.get(name) as Fragment)))
        grown = true
      }
  }
  return empty
}
