import type { Stream } from '../../../core/index.ts'
import { isTerminal, type Pcfg, type PcfgRule } from './grammar.ts'
import { ln } from './ln.ts'
import { chartedConditionals } from './membership.ts'
import { sampleDerivation, yieldOf } from './tree.ts'

export interface SampledEntropy {
  /** Mean -ln P(s) of sampled strings, nats: an unbiased estimate of H(L). */
  readonly value: number
  readonly standardError: number
  readonly strings: number
}

/**
 * String entropy by sampling, for languages whose exact value is out of reach (infinite or too large): every sampled
 * string's probability is exact, summed over its derivations.
 */
export function sampledEntropy(grammar: Pcfg, stream: Stream, strings: number): SampledEntropy {
  if (!Number.isInteger(strings) || strings < 2)
    throw new RangeError(`an estimate needs 2 strings or more, got ${strings}`)
  const losses = Array.from({ length: strings }, () => {
    const tokens = yieldOf(grammar, sampleDerivation(grammar, stream)) as readonly number[]
    return chartedConditionals(grammar, tokens).reduce((sum, p) => sum - ln(p), 0)
  })
  const value = losses.reduce((sum, loss) => sum + loss, 0) / strings
  const squares = losses.reduce((sum, loss) => sum + (loss - value) * (loss - value), 0)
  return { value, standardError: Math.sqrt(squares / (strings - 1) / strings), strings }
}

export interface SampledAmbiguity {
  /** `yes` is proved by a string; `not-seen` says how many distinct strings had one derivation only. */
  readonly ambiguous: 'yes' | 'not-seen'
  readonly strings: number
}

/**
 * Is a string with several derivations among those sampled? A string is ambiguous where its probability exceeds that of
 * the derivation that made it, duplicated rules counted as one. For infinite languages, where the question is undecidable.
 */
export function sampledAmbiguity(grammar: Pcfg, stream: Stream, strings: number): SampledAmbiguity {
  const keys = grammar.rules.map(({ left, right }) => `${left}/${right.join()}`)
  const merged = new Map<string, number>()
  for (const [r, key] of keys.entries()) merged.set(key, (merged.get(key) ?? 0) + grammar.rules[r]!.probability)
  const seen = new Set<string>()
  for (let i = 0; i < strings; i++) {
    const derivation = sampleDerivation(grammar, stream)
    const tokens = yieldOf(grammar, derivation) as readonly number[]
    seen.add(tokens.join())
    const own = derivation.reduce((sum, r) => sum + ln(merged.get(keys[r] as string) as number), 0)
    const all = chartedConditionals(grammar, tokens).reduce((sum, p) => sum + ln(p), 0)
    if (all > own + 1e-9) return { ambiguous: 'yes', strings: seen.size }
  }
  return { ambiguous: 'not-seen', strings: seen.size }
}

/**
 * Is it plain from the rules that every string has one derivation? So it is where every rule has at most one nonterminal
 * and begins with a token, and two rules of one nonterminal that begin alike are one that goes on and one that ends no
 * later than the other's own tokens: the first token and whether the string ends then say which. The entropy of strings
 * is that of derivations there. `false` says nothing.
 */
export function plainlyUnambiguous(grammar: Pcfg): boolean {
  return grammar.rulesOf.every((numbers) => {
    const byFirst = Map.groupBy(
      numbers.map((r) => grammar.rules[r] as PcfgRule),
      ({ right }) => right[0]!,
    )
    return [...byFirst].every(([first, rules]) => {
      const goOn = rules.filter(({ right }) => !right.every(isTerminal))
      const end = rules.filter(({ right }) => right.every(isTerminal))
      if (!isTerminal(first) || goOn.length > 1 || end.length > 1) return false
      const own = goOn[0]?.right.filter(isTerminal).length ?? 0
      if (goOn.some(({ right }) => own + 1 < right.length)) return false
      return goOn.length === 0 || end.length === 0 || (end[0]?.right.length ?? 0) <= own
    })
  })
}
