import { buildPcfg, isTerminal, type NamedRule, type Pcfg, PcfgError, terminalIndex, unreachable } from './grammar.ts'
import { derivationalEntropy } from './quantities.ts'

/** The rules by name, to be changed and built again. */
export function namedRules(grammar: Pcfg): NamedRule[] {
  return grammar.rules.map((rule) => ({
    left: grammar.nonterminals[rule.left] as string,
    right: rule.right.map((symbol) =>
      isTerminal(symbol)
        ? { name: grammar.terminals[terminalIndex(symbol)] as string, terminal: true }
        : { name: grammar.nonterminals[symbol] as string, terminal: false },
    ),
    weight: rule.weight,
  }))
}

/** What a grammar declares besides its rules. */
const declarations = (grammar: Pcfg) => ({
  unreachable: unreachable(grammar),
  agreement: grammar.agreement.map((n) => grammar.nonterminals[n] as string),
  reading: grammar.reading,
})

/** The same rules over other tokens: each terminal goes through `map`, which must be injective on the alphabet. */
export function mapAlphabet(grammar: Pcfg, map: Readonly<Record<string, string>>): Pcfg {
  const imageOf = (name: string) => (Object.hasOwn(map, name) ? (map[name] as string) : name)
  const images = grammar.terminals.map(imageOf)
  if (new Set(images).size < images.length)
    throw new PcfgError('unsupported', `an alphabet map sends each token to its own token, got ${images.join(' ')}`)
  const rules = namedRules(grammar).map((rule) => ({
    ...rule,
    right: rule.right.map((s) => (s.terminal ? { name: imageOf(s.name), terminal: true } : s)),
  }))
  return buildPcfg(rules, declarations(grammar))
}

/** Denominator of tilted probabilities: weights are integers. */
const denominator = 1_000_000

/**
 * The grammar with its rule probabilities moved to a wanted derivational entropy (nats), support fixed. Downwards, every
 * nonterminal mixes with its most probable rule (the first of equals); upwards, with the uniform choice. Bisection over
 * the mixing weight; every rule keeps at least one part in a million.
 * @throws PcfgError where the target is out of reach, with the range.
 */
export function tiltEntropy(grammar: Pcfg, target: number): Pcfg {
  const now = derivationalEntropy(grammar)
  const towards = target < now ? 'peaked' : 'uniform'
  const most = mixed(grammar, towards, denominator)
  const reach = derivationalEntropy(most)
  if (!Number.isFinite(target) || (towards === 'peaked' ? target < reach : target > reach))
    throw new PcfgError(
      'unsupported',
      `with this support the entropy can be moved from ${now.toFixed(4)} to between ${Math.min(now, reach).toFixed(4)} and ${Math.max(now, reach).toFixed(4)} nats, asked for ${target}`,
    )
  let low = 0
  let high = denominator
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    const entropy = derivationalEntropy(mixed(grammar, towards, middle))
    if (towards === 'peaked' ? entropy > target : entropy < target) low = middle
    else high = middle
  }
  const [below, above] = [mixed(grammar, towards, low), mixed(grammar, towards, high)]
  const error = (g: Pcfg) => Math.abs(derivationalEntropy(g) - target)
  return error(below) <= error(above) ? below : above
}

/** (1 - s) p + s q with s in millionths and q the peak or the uniform choice, as integer weights. */
function mixed(grammar: Pcfg, towards: 'peaked' | 'uniform', s: number): Pcfg {
  const rules = namedRules(grammar)
  for (const numbers of grammar.rulesOf) {
    const p = numbers.map((r) => grammar.rules[r]!.probability)
    const peak = p.indexOf(Math.max(...p))
    for (const [i, r] of numbers.entries()) {
      const q = towards === 'uniform' ? 1 / p.length : i === peak ? 1 : 0
      const weight = Math.max(1, Math.round((denominator - s) * p[i]! + s * q))
      rules[r] = { ...rules[r]!, weight }
    }
  }
  return buildPcfg(rules, declarations(grammar))
}
