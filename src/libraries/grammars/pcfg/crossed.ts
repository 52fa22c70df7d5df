import { PcfgError } from './error.ts'
import { isPair, type Pcfg, type PcfgRule, terminalIndex } from './grammar.ts'

/**
 * A grammar read crossed is a multiple context-free grammar of fan-out 2 (a linear one). Its rules have the form
 * `Q -> x N y` or `Q -> x y`, tokens x and y; a derivation that writes x1 .. xm on the way down and y1 .. ym beside them
 * stands for the string x1 .. xm y1 .. ym, first in first out, where the context-free reading has x1 .. xm ym .. y1, last in
 * first out. Both readings have the same derivations, so the same probabilities, lengths and tokens.
 */
export interface PairRule {
  readonly first: number
  readonly second: number
  /** The nonterminal that goes on, or null for the last pair. */
  readonly next: number | null
  readonly probability: number
}

const rulesCache = new WeakMap<Pcfg, readonly (readonly PairRule[])[] | null>()

/** The rules by nonterminal where all write a pair of tokens around what follows, else null. */
export function pairRules(grammar: Pcfg): readonly (readonly PairRule[])[] | null {
  let found = rulesCache.get(grammar)
  if (found === undefined) {
    const all = grammar.rules.map(pairRule)
    found = grammar.rules.every(isPair)
      ? grammar.rulesOf.map((numbers) => numbers.map((r) => all[r] as PairRule))
      : null
    rulesCache.set(grammar, found)
  }
  return found
}

const pairRule = ({ right, probability }: PcfgRule): PairRule => ({
  first: terminalIndex(right[0] as number),
  second: terminalIndex(right.at(-1) as number),
  next: right.length === 3 ? (right[1] as number) : null,
  probability,
})

/** The rules of a grammar that is read crossed. @throws PcfgError for another */
export function crossedRules(grammar: Pcfg): readonly (readonly PairRule[])[] {
  const rules = pairRules(grammar)
  if (grammar.reading === 'plain' || rules === null)
    throw new PcfgError('unsupported', 'this reads grammars of pairs read crossed (%crossed); got a context-free one')
  return rules
}

/** The second half of a string turned round: from one reading of a derivation to the other, and back. */
export function turned<T>(tokens: readonly T[]): readonly T[] {
  const half = tokens.length >> 1
  return [...tokens.slice(0, half), ...tokens.slice(half).reverse()]
}

const plainCache = new WeakMap<Pcfg, Pcfg>()

/** The same rules, read as a context-free grammar. */
export function plainReading(grammar: Pcfg): Pcfg {
  if (grammar.reading === 'plain') return grammar
  let found = plainCache.get(grammar)
  if (found === undefined) {
    found = { ...grammar, reading: 'plain' }
    plainCache.set(grammar, found)
  }
  return found
}

/** For what works from left to right over one context-free reading. @throws PcfgError for a grammar read crossed */
export function rejectCrossed(grammar: Pcfg, what: string): void {
  if (grammar.reading === 'crossed')
    throw new PcfgError('unsupported', `${what} reads context-free grammars; this one is read crossed (%crossed)`)
}
