import { type Stream, weighted } from '../../../core/index.ts'
import { memoize } from '../../../core/memo.ts'
import { reverseSecondHalf } from './crossed.ts'
import { isTerminal, type Pcfg, PcfgError, type PcfgRule, terminalIndex } from './grammar.ts'

/**
 * A derivation as its rule numbers in leftmost order: with the grammar it is the whole tree, and it is checked by
 * replaying it.
 */
export type Derivation = readonly number[]

/** A string of the language as terminal indices. */
export type TokenString = readonly number[]

/** Longest derivation sampled before giving up; proper grammars stay far below. */
const MAX_STEPS = 1_000_000

/** One derivation drawn top-down with the rules' exact integer weights. */
export function sampleDerivation(grammar: Pcfg, stream: Stream): Derivation {
  const weights = weightsOf(grammar)
  const steps: number[] = []
  const stack = [0]
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (isTerminal(at)) continue
    if (steps.length === MAX_STEPS)
      throw new PcfgError('too-large', `a derivation passed ${MAX_STEPS} steps; lower the recursive probabilities`)
    const rules = grammar.rulesOf[at] as readonly number[]
    const rule = rules[rules.length === 1 ? 0 : weighted(stream, weights[at] as readonly number[])]!
    steps.push(rule)
    const { right } = grammar.rules[rule] as PcfgRule
    for (let i = right.length - 1; i >= 0; i--) stack.push(right[i]!)
  }
  return steps
}

const weightsOf = memoize(({ rules, rulesOf }: Pcfg) => rulesOf.map((own) => own.map((r) => rules[r]!.weight)))

/** The string a derivation yields, or null where the rule numbers are no complete leftmost derivation. */
export function yieldOf(grammar: Pcfg, derivation: Derivation): TokenString | null {
  const out: number[] = []
  const stack = [0]
  let next = 0
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (isTerminal(at)) {
      out.push(terminalIndex(at))
      continue
    }
    const rule = grammar.rules[derivation[next++] ?? -1]
    if (rule === undefined || rule.left !== at) return null
    for (let i = rule.right.length - 1; i >= 0; i--) stack.push(rule.right[i]!)
  }
  if (next !== derivation.length) return null
  return grammar.reading === 'crossed' ? reverseSecondHalf(out) : out
}

/** A constituent of a derivation over tokens start..end-1. */
export interface Constituent {
  readonly nonterminal: number
  readonly start: number
  readonly end: number
  /** Distance from the root, which has 0. */
  readonly depth: number
}

/**
 * All constituents of a derivation, parents before children, left to right. One of a grammar read crossed has two pieces,
 * listed one after the other.
 */
export function constituents(grammar: Pcfg, derivation: Derivation): Constituent[] {
  const all = constituentsInOrder(grammar, derivation)
  if (grammar.reading === 'plain') return all
  const half = all.length
  return all.flatMap(({ nonterminal, depth }) => [
    { nonterminal, start: depth, end: half, depth },
    { nonterminal, start: half + depth, end: 2 * half, depth },
  ])
}

function constituentsInOrder(grammar: Pcfg, derivation: Derivation): Constituent[] {
  const out: { nonterminal: number; start: number; end: number; depth: number }[] = []
  let next = 0
  let at = 0
  const stack: ({ symbol: number; depth: number } | { close: number })[] = [{ symbol: 0, depth: 0 }]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    if ('close' in top) {
      out[top.close]!.end = at
      continue
    }
    if (isTerminal(top.symbol)) {
      at++
      continue
    }
    const rule = grammar.rules[derivation[next++] as number] as PcfgRule
    stack.push({ close: out.length })
    out.push({ nonterminal: top.symbol, start: at, end: at, depth: top.depth })
    for (let i = rule.right.length - 1; i >= 0; i--) stack.push({ symbol: rule.right[i]!, depth: top.depth + 1 })
  }
  return out
}

export const textOf = (grammar: Pcfg, tokens: TokenString): string =>
  tokens.map((t) => grammar.terminals[t] as string).join(' ')

/** Terminal indices of a space-separated string; null where a token is not in the alphabet. */
export function tokensOf(grammar: Pcfg, text: string): number[] | null {
  if (text === '') return []
  const index = terminalNumbers(grammar)
  const out: number[] = []
  for (const token of text.split(' ')) {
    const found = index.get(token)
    if (found === undefined) return null
    out.push(found)
  }
  return out
}

const terminalNumbers = memoize(
  ({ terminals }: Pcfg): ReadonlyMap<string, number> => new Map(terminals.map((name, i) => [name, i])),
)
