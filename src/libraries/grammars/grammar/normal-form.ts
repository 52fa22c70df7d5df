import { type Cfg, type CfgSymbol, cnfOf, nonterminal } from './cfg.ts'
import type { Cnf } from './cnf.ts'

/** Chomsky normal form of any grammar. */
export interface NormalForm {
  /** derives just the non-empty strings of the language */
  readonly grammar: Cnf
  /** whether the empty string belongs to the language */
  readonly derivesEmpty: boolean
  /** the way back: what each nonterminal that the given grammar has not stands for; trees without them are trees of its rules */
  readonly parts: { readonly [nonterminal: string]: readonly CfgSymbol[] }
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
  const parts: { [name: string]: readonly CfgSymbol[] } = onRight ? { [start]: [nonterminal(cfg.start)] } : {}
  const rules: { left: string; right: CfgSymbol[] }[] = onRight
    ? [{ left: start, right: [nonterminal(cfg.start)] }]
    : []
  const lifted = new Map<string, string>()
  for (const { left, right } of cfg.rules) {
    if (right.length < 2) {
      rules.push({ left, right: [...right] })
      continue
    }
    const symbols = right.map((symbol) => {
      if (symbol.kind === 'nonterminal') return symbol
      let name = lifted.get(symbol.name)
      if (name === undefined) {
        name = fresh('T')
        lifted.set(symbol.name, name)
        parts[name] = [symbol]
        rules.push({ left: name, right: [symbol] })
      }
      return nonterminal(name)
    })
    let parent = left
    for (let at = 0; at < symbols.length - 2; at++) {
      const rest = fresh(left)
      parts[rest] = right.slice(at + 1)
      rules.push({ left: parent, right: [symbols[at] as CfgSymbol, nonterminal(rest)] })
      parent = rest
    }
    rules.push({ left: parent, right: symbols.slice(-2) })
  }
  const empty = deriving(rules)
  const units = new Map<string, Set<string>>()
  const solid: { left: string; right: CfgSymbol[] }[] = []
  const unit = (left: string, right: string) => {
    if (!units.has(left)) units.set(left, new Set())
    units.get(left)?.add(right)
  }
  for (const { left, right } of rules) {
    const [first, second] = right as [CfgSymbol?, CfgSymbol?]
    if (first === undefined) continue
    if (second === undefined) {
      if (first.kind === 'terminal') solid.push({ left, right })
      else unit(left, first.name)
      continue
    }
    solid.push({ left, right })
    if (empty.has(second.name)) unit(left, first.name)
    if (empty.has(first.name)) unit(left, second.name)
  }
  const byLeft = Map.groupBy(solid, ({ left }) => left)
  const out = new Map<string, { left: string; right: CfgSymbol[]; weight: null }>()
  for (const left of new Set([start, ...rules.map((rule) => rule.left)])) {
    const reached = new Set([left])
    for (const name of reached) for (const next of units.get(name) ?? []) reached.add(next)
    for (const name of reached)
      for (const { right } of byLeft.get(name) ?? [])
        out.set(JSON.stringify([left, right]), { left, right, weight: null })
  }
  return { grammar: cnfOf({ start, rules: [...out.values()] }), derivesEmpty: empty.has(start), parts }
}

/** The nonterminals that derive the empty string. */
function deriving(rules: readonly { readonly left: string; readonly right: readonly CfgSymbol[] }[]): Set<string> {
  const empty = new Set<string>()
  for (let grown = true; grown; ) {
    grown = false
    for (const { left, right } of rules)
      if (!empty.has(left) && right.every(({ kind, name }) => kind === 'nonterminal' && empty.has(name))) {
        empty.add(left)
        grown = true
      }
  }
  return empty
}
