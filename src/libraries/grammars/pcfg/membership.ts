import { memoize } from '../../../core/memo.ts'
import { crossedConditionals, crossSerialRules, type PairRule } from './crossed.ts'
import { EarleyReader, earleyAccepts, earleyConditionals } from './earley.ts'
import type { Pcfg } from './grammar.ts'
import { mcfgAccepts, mcfgOf } from './mcfg.ts'

const mcfg = memoize(mcfgOf)

/**
 * Membership by a chart, apart from what the generator walks: Earley's, or for a grammar read crossed deduction over
 * its multiple context-free grammar.
 */
export function derives(grammar: Pcfg, tokens: readonly number[]): boolean {
  return grammar.reading === 'plain' ? earleyAccepts(grammar, tokens) : mcfgAccepts(mcfg(grammar), tokens)
}

/** P of each token and of the end (last) given those before it, up to the first impossible one (0), without an automaton. */
export const chartedConditionals = (grammar: Pcfg, tokens: readonly number[]): number[] =>
  grammar.reading === 'crossed' ? crossedConditionals(grammar, tokens) : earleyConditionals(grammar, tokens)

/** Tokens of the longest prefix that begins some string of the language. */
export function aliveTokens(grammar: Pcfg, tokens: readonly number[]): number {
  if (grammar.reading === 'crossed') return aliveCrossed(crossSerialRules(grammar), tokens)
  const reader = new EarleyReader(grammar)
  for (const token of tokens) if (!reader.read(token)) break
  return reader.length
}

type Rules = readonly (readonly PairRule[])[]

function aliveCrossed(rules: Rules, tokens: readonly number[]): number {
  let alive = 0
  while (alive < tokens.length && begins(rules, tokens.slice(0, alive + 1))) alive++
  return alive
}

/** Does a string of the language begin so? First tokens only, or some m pairs whose second tokens are read as far as they go. */
function begins(rules: Rules, prefix: readonly number[]): boolean {
  const all = prefix.length
  for (let m = Math.ceil(all / 2); m <= all; m++) {
    let states = new Set([0])
    for (let i = 0; i < m && states.size > 0; i++) states = after(rules, states, prefix[i]!, prefix[m + i], i + 1 === m)
    if (states.size > 0) return true
  }
  let states = new Set([0])
  for (const token of prefix) states = after(rules, states, token, undefined, false)
  return states.size > 0
}

/** Nonterminals after one more pair; after the last, nonterminal 0 stands for the end. */
function after(rules: Rules, states: ReadonlySet<number>, first: number, second: number | undefined, last: boolean) {
  const out = new Set<number>()
  for (const q of states)
    for (const rule of rules[q] as readonly PairRule[])
      if (rule.first === first && (second === undefined || rule.second === second) && last === (rule.next === null))
        out.add(rule.next ?? 0)
  return out
}
