import { between, pick, type Stream, sampleIndices } from '../../../core/index.ts'
import { buildPcfg, type NamedRule, type NamedSymbol, type Pcfg, PcfgError } from './grammar.ts'

/** How rule probabilities are shaped: equal, one dominant rule, or drawn. */
export type ProbabilityShape =
  | { readonly kind: 'uniform' }
  /** The first rule has `percent` hundredths, the others share the rest (G2: 95; G9: 84 = one standard deviation). */
  | { readonly kind: 'peaked'; readonly percent: number }
  /** Each weight uniform on 1..100. */
  | { readonly kind: 'random' }

export interface HpcfgParameters {
  /** Levels of nonterminals above the terminals, at least 1. */
  readonly depth: number
  /** Longest right-hand side; each is 1..breadth long (the lowest level too). */
  readonly breadth: number
  readonly rules: number
  /** Nonterminals of each level but the top one. */
  readonly width: number
  readonly tokens: readonly string[]
  /** Percent of right-hand side symbols taken from any lower level instead of the next one. */
  readonly skip: number
  readonly probabilities: ProbabilityShape
}

/**
 * A random hierarchical grammar: nonterminals A1.. in levels from the bottom, each with distinct right-hand sides over
 * lower levels; unreachable ones are dropped. The same stream gives the same grammar.
 */
export function randomHpcfg(parameters: HpcfgParameters, stream: Stream): Pcfg {
  const rules = hierarchy(parameters, stream, 'A')
  return finish('S', [{ left: 'S', right: [rules.top], weight: 1 }, ...rules.rules])
}

export interface BridgedParameters {
  readonly first: HpcfgParameters
  readonly second: HpcfgParameters
  /** Pairs of tokens that must agree: at most the smaller of the two alphabets. */
  readonly pairs: number
}

/**
 * Two random hierarchies joined as in G3: S5 -> B C1_i E T1_i, so that the last token repeats, through a fixed
 * one-to-one map, the choice made between them.
 */
export function bridgedHpcfg(parameters: BridgedParameters, stream: Stream): Pcfg {
  const { first, second, pairs } = parameters
  const marks = [...new Set([...first.tokens, ...second.tokens])]
  if (pairs < 1 || 2 * pairs > marks.length)
    throw new PcfgError('unsupported', `${pairs} agreeing pairs need ${2 * pairs} tokens, there are ${marks.length}`)
  const b = hierarchy(first, stream, 'B')
  const e = hierarchy(second, stream, 'E')
  const chosen = sampleIndices(stream, marks.length, 2 * pairs).map((i) => marks[i] as string)
  const name = (text: string): NamedSymbol => ({ name: text, terminal: false })
  const numbers = Array.from({ length: pairs }, (_, i) => i + 1)
  return finish(
    'S',
    [
      { left: 'S', right: [name('S5')], weight: 1 },
      ...numbers.map((i) => ({ left: 'S5', right: [b.top, name(`C1_${i}`), e.top, name(`T1_${i}`)], weight: 1 })),
      ...b.rules,
      ...e.rules,
      ...numbers.flatMap((i) => [
        { left: `C1_${i}`, right: [{ name: chosen[i - 1] as string, terminal: true }], weight: 1 },
        { left: `T1_${i}`, right: [{ name: chosen[pairs + i - 1] as string, terminal: true }], weight: 1 },
      ]),
    ],
    numbers.map((i) => `T1_${i}`),
  )
}

function hierarchy(p: HpcfgParameters, stream: Stream, letter: string): { top: NamedSymbol; rules: NamedRule[] } {
  checkParameters(p)
  const levels: NamedSymbol[][] = [p.tokens.map((name) => ({ name, terminal: true }))]
  const rules: NamedRule[] = []
  let number = 0
  for (let depth = 1; depth <= p.depth; depth++) {
    const here: NamedSymbol[] = []
    for (let i = 0; i < (depth === p.depth ? 1 : p.width); i++) {
      const left = `${letter}${++number}`
      const weights = shapeWeights(p, stream)
      for (const [r, right] of rightSides(p, levels, stream).entries())
        rules.push({ left, right, weight: weights[r] as number })
      here.push({ name: left, terminal: false })
    }
    levels.push(here)
  }
  return { top: (levels.at(-1) as NamedSymbol[])[0] as NamedSymbol, rules }
}

/** Distinct right-hand sides; fewer than asked only where the alphabet below has fewer. */
function rightSides(p: HpcfgParameters, levels: readonly NamedSymbol[][], stream: Stream): NamedSymbol[][] {
  const below = levels.at(-1) as NamedSymbol[]
  const lower = levels.slice(1).flat()
  const found = new Map<string, NamedSymbol[]>()
  for (let tries = 0; found.size < p.rules && tries < 200; tries++) {
    const right = Array.from({ length: between(stream, 1, p.breadth) }, () =>
      levels.length > 2 && between(stream, 1, 100) <= p.skip ? pick(stream, lower) : pick(stream, below),
    )
    found.set(right.map((s) => s.name).join(' '), right)
  }
  return [...found.values()]
}

function shapeWeights(p: HpcfgParameters, stream: Stream): number[] {
  switch (p.probabilities.kind) {
    case 'uniform':
      return Array.from({ length: p.rules }, () => 1)
    case 'random':
      return Array.from({ length: p.rules }, () => between(stream, 1, 100))
    case 'peaked': {
      const { percent } = p.probabilities
      const others = Math.max(1, p.rules - 1)
      return Array.from({ length: p.rules }, (_, i) => (i === 0 ? percent * others : 100 - percent))
    }
  }
}

function checkParameters(p: HpcfgParameters): void {
  const bounds: readonly (readonly [string, number, number, number])[] = [
    ['depth', p.depth, 1, 12],
    ['breadth', p.breadth, 1, 12],
    ['rules', p.rules, 1, 20],
    ['width', p.width, 1, 50],
    ['skip', p.skip, 0, 100],
  ]
  for (const [name, value, low, high] of bounds)
    if (!Number.isInteger(value) || value < low || value > high)
      throw new PcfgError('unsupported', `${name} is an integer ${low}..${high}, got ${value}`)
  if (p.tokens.length < 2 || new Set(p.tokens).size < p.tokens.length)
    throw new PcfgError('unsupported', `tokens are at least two different names, got ${p.tokens.join(' ')}`)
}

/** Leaves out what no derivation reaches. */
function finish(start: string, rules: readonly NamedRule[], agreement: readonly string[] = []): Pcfg {
  const used = new Set([start])
  for (let size = 0; size < used.size; ) {
    size = used.size
    for (const rule of rules)
      if (used.has(rule.left)) for (const symbol of rule.right) if (!symbol.terminal) used.add(symbol.name)
  }
  return buildPcfg(
    rules.filter((rule) => used.has(rule.left)),
    { agreement },
  )
}
