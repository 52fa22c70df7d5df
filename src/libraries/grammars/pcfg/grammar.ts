import { childrenFirst, type Rows, series, zeros } from './linear.ts'

/** What is wrong with a probabilistic grammar. */
export type PcfgFault =
  | 'syntax'
  | 'empty'
  | 'undefined'
  | 'unproductive'
  | 'unreachable'
  | 'sum'
  | 'not-terminating'
  | 'too-large'
  | 'unsupported'

/** A probabilistic grammar that cannot be used; the message says what was expected, what came and what to do. */
export class PcfgError extends Error {
  override readonly name = 'PcfgError'
  readonly fault: PcfgFault

  constructor(fault: PcfgFault, message: string) {
    super(message)
    this.fault = fault
  }
}

/**
 * A symbol as an integer: nonterminal n is n (0 = the start symbol), terminal t is -1 - t, indices into the grammar's
 * two name lists.
 */
export type SymbolCode = number
export const terminalCode = (terminal: number): SymbolCode => -1 - terminal
export const isTerminal = (symbol: SymbolCode): boolean => symbol < 0
export const terminalIndex = (symbol: SymbolCode): number => -1 - symbol

export interface PcfgRule {
  readonly left: number
  /** At least one symbol; unit rules and any length are allowed. */
  readonly right: readonly SymbolCode[]
  /** A positive integer; probability = weight / sum of the weights of `left`, which have no common divisor. */
  readonly weight: number
  readonly probability: number
}

/**
 * A probabilistic context-free grammar without empty right-hand sides. Rules are kept as printed: duplicated rules stay
 * two rules, and their probabilities add up.
 */
export interface Pcfg {
  readonly nonterminals: readonly string[]
  readonly terminals: readonly string[]
  readonly rules: readonly PcfgRule[]
  /** Rule numbers by nonterminal, in file order. */
  readonly rulesOf: readonly (readonly number[])[]
  /** Nonterminals whose token was decided by an earlier one (T1_i of the bridged grammars). */
  readonly agreement: readonly number[]
  /** How a derivation becomes a string: as in any context-free grammar, or crossed (crossed.ts). */
  readonly reading: 'plain' | 'crossed'
}

/** A rule by names: `terminal: true` marks a terminal. */
export interface NamedSymbol {
  readonly name: string
  readonly terminal: boolean
}
export interface NamedRule {
  readonly left: string
  readonly right: readonly NamedSymbol[]
  /** Positive integer. */
  readonly weight: number
}

export interface BuildOptions {
  /** Nonterminals known to be unreachable (the paper prints some); any other unreachable one is an error. */
  readonly unreachable?: readonly string[]
  readonly agreement?: readonly string[]
  /** `crossed`: see crossed.ts. */
  readonly reading?: Pcfg['reading']
}

/** A terminal is written in quotes of either kind: without blanks, and without one of the two. */
export const terminalName = /^(?:[^'\s]+|[^"\s]+)$/u
/** A nonterminal is written without quotes. */
const nonterminalName = /^[A-Za-z_][A-Za-z0-9_]*$/u

/**
 * What is handled in seconds: a system of equations for 1500 nonterminals that all refer to one another takes some five,
 * the length distribution of 40,000 symbols as long and some 200 MB.
 */
const MAX_NONTERMINALS = 1500
const MAX_SYMBOLS = 40_000

/**
 * Compiles rules by name; the left side of the first is the start symbol.
 * @throws PcfgError where the grammar is empty, has names that cannot be written in its text form, an undefined, unproductive or undeclared unreachable nonterminal, or
 * does not terminate with probability 1 and finite expected length.
 */
export function buildPcfg(named: readonly NamedRule[], options: BuildOptions = {}): Pcfg {
  if (named.length === 0) throw new PcfgError('empty', 'a grammar has at least one rule, got none')
  const nonterminals = [...new Set(named.map((rule) => rule.left))]
  checkLimit(nonterminals.length, MAX_NONTERMINALS, 'nonterminals')
  checkLimit(
    named.reduce((sum, { right }) => sum + right.length, 0),
    MAX_SYMBOLS,
    'symbols on right-hand sides',
  )
  const numberOf = new Map(nonterminals.map((name, i) => [name, i]))
  const terminals = [...new Set(named.flatMap((rule) => rule.right.filter((s) => s.terminal).map((s) => s.name)))]
  terminals.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const terminalOf = new Map(terminals.map((name, i) => [name, terminalCode(i)]))
  checkNames(nonterminals, terminals)
  const totals = zeros(nonterminals.length)
  const coded = named.map((rule) => {
    if (rule.right.length === 0)
      throw new PcfgError('unsupported', `${rule.left} has an empty right-hand side; write the language without it`)
    if (!Number.isSafeInteger(rule.weight) || rule.weight <= 0)
      throw new PcfgError('sum', `a rule of ${rule.left} needs a positive integer weight, got ${rule.weight}`)
    const left = numberOf.get(rule.left) as number
    totals[left]! += rule.weight
    const right = rule.right.map((symbol) => {
      const code = (symbol.terminal ? terminalOf : numberOf).get(symbol.name)
      if (code === undefined)
        throw new PcfgError(
          'undefined',
          `${rule.left} refers to ${symbol.name}, which no rule defines; quote it if it is a terminal`,
        )
      return code
    })
    return { left, right, weight: rule.weight }
  })
  const divisors = zeros(nonterminals.length)
  for (const { left, weight } of coded) divisors[left] = greatestCommonDivisor(divisors[left]!, weight)
  for (const [i, total] of totals.entries())
    if (!Number.isSafeInteger(total))
      throw new PcfgError('sum', `the weights of ${nonterminals[i]} sum to ${total}, more than 2^53`)
  const rules = coded.map((rule) => ({
    ...rule,
    weight: rule.weight / divisors[rule.left]!,
    probability: rule.weight / totals[rule.left]!,
  }))
  const rulesOf: number[][] = nonterminals.map(() => [])
  for (const [i, { left }] of rules.entries()) (rulesOf[left] as number[]).push(i)
  const { reading = 'plain' } = options
  const agreement = codesOf(options.agreement, numberOf)
  const grammar: Pcfg = { nonterminals, terminals, rules, rulesOf, agreement, reading }
  if (reading === 'crossed') checkPairs(grammar)
  checkReachable(grammar, new Set(options.unreachable))
  checkProductive(grammar)
  checkTerminates(grammar)
  return grammar
}

/** Does a rule write a pair of tokens, around at most one nonterminal? */
export const isPair = ({ right }: PcfgRule): boolean =>
  (right.length === 2 || (right.length === 3 && !isTerminal(right[1]!))) &&
  isTerminal(right[0]!) &&
  isTerminal(right.at(-1) as number)

function checkPairs({ rules, nonterminals }: Pcfg): void {
  const other = rules.find((rule) => !isPair(rule))
  if (other !== undefined)
    throw new PcfgError(
      'unsupported',
      `a grammar read crossed has rules A -> 'x' B 'y' and A -> 'x' 'y' only; ${nonterminals[other.left]} has another`,
    )
}

function checkLimit(got: number, most: number, what: string): void {
  if (got > most) throw new PcfgError('too-large', `a grammar has at most ${most} ${what}, got ${got}`)
}

function checkNames(nonterminals: readonly string[], terminals: readonly string[]): void {
  for (const name of nonterminals)
    if (!nonterminalName.test(name))
      throw new PcfgError(
        'unsupported',
        `a nonterminal is a word of letters, digits and _ that does not begin with a digit, got ${JSON.stringify(name)}; rename it`,
      )
  for (const name of terminals)
    if (!terminalName.test(name))
      throw new PcfgError(
        'unsupported',
        `a token has one character or more, no blanks and not both kinds of quotes, got ${JSON.stringify(name)}; use another`,
      )
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b))

function codesOf(names: readonly string[] | undefined, numberOf: ReadonlyMap<string, number>): number[] {
  return (names ?? []).map((name) => {
    const code = numberOf.get(name)
    if (code === undefined) throw new PcfgError('undefined', `%agree names ${name}, which no rule defines`)
    return code
  })
}

/** Which nonterminals a derivation from the start symbol can contain. */
export function reachable(grammar: Pcfg): boolean[] {
  const seen = grammar.nonterminals.map((_, i) => i === 0)
  const queue = [0]
  for (let at = queue.pop(); at !== undefined; at = queue.pop())
    for (const r of grammar.rulesOf[at] as readonly number[])
      for (const symbol of (grammar.rules[r] as PcfgRule).right)
        if (!isTerminal(symbol) && !seen[symbol]) {
          seen[symbol] = true
          queue.push(symbol)
        }
  return seen
}

/** The nonterminals that no derivation can contain. */
export function unreachable(grammar: Pcfg): string[] {
  const used = reachable(grammar)
  return grammar.nonterminals.filter((_, i) => !used[i])
}

function checkReachable(grammar: Pcfg, declared: ReadonlySet<string>): void {
  const lost = unreachable(grammar).filter((name) => !declared.has(name))
  if (lost.length > 0)
    throw new PcfgError(
      'unreachable',
      `no derivation from ${grammar.nonterminals[0]} reaches ${lost.join(', ')}; remove their rules or declare them with %unreachable`,
    )
}

function checkProductive(grammar: Pcfg): void {
  const productive = grammar.nonterminals.map(() => false)
  const ends = (r: number) => grammar.rules[r]?.right.every((s) => isTerminal(s) || productive[s]) === true
  const order = childrenFirst(meanMatrix(grammar, wholeRight))
  for (let changed = true; changed; ) {
    changed = false
    for (const n of order)
      if (!productive[n] && grammar.rulesOf[n]?.some(ends) === true) {
        productive[n] = true
        changed = true
      }
  }
  const dead = grammar.nonterminals.filter((_, i) => !productive[i])
  if (dead.length > 0)
    throw new PcfgError('unproductive', `${dead.join(', ')} derive no string; give each a rule that ends in terminals`)
}

/** M[a][b] = expected number of b among the chosen symbols of one expansion of a. */
export function meanMatrix(grammar: Pcfg, chosen: (rule: PcfgRule) => readonly SymbolCode[]): Rows {
  const mean = grammar.nonterminals.map(() => new Map<number, number>())
  for (const rule of grammar.rules) {
    const row = mean[rule.left] as Map<number, number>
    for (const symbol of chosen(rule))
      if (!isTerminal(symbol)) row.set(symbol, (row.get(symbol) ?? 0) + rule.probability)
  }
  return mean
}
export const wholeRight = (rule: PcfgRule): readonly SymbolCode[] => rule.right
export const isUnit = ({ right }: PcfgRule): boolean => right.length === 1 && !isTerminal(right[0]!)

/** Most expected expansions: beyond, sampling and the arithmetic of doubles give out. */
const MAX_STEPS = 1e9

/** The expected expansions 1 + M 1 + M^2 1 + .. are finite: a subcritical branching process. */
function checkTerminates(grammar: Pcfg): void {
  const expansions = series(meanMatrix(grammar, wholeRight))
  const endless =
    expansions.kind === 'diverges'
      ? expansions.row
      : expansions.of(grammar.nonterminals.map(() => 1)).findIndex((steps) => steps > MAX_STEPS)
  if (endless >= 0)
    throw new PcfgError(
      'not-terminating',
      `derivations from ${grammar.nonterminals[endless]} have no finite expected length; lower the probability of its recursive rules`,
    )
}

/** Longest path to a terminal by nonterminal (1 = only terminals on the right), or null for a recursive grammar. */
export function heights(grammar: Pcfg): number[] | null {
  const children = meanMatrix(grammar, wholeRight)
  const height = zeros(children.length)
  for (const n of childrenFirst(children)) {
    let below = 0
    for (const child of (children[n] as ReadonlyMap<number, number>).keys()) {
      if (height[child] === 0) return null
      below = Math.max(below, height[child]!)
    }
    height[n] = below + 1
  }
  return height
}
