import { PcfgError } from './error.ts'
import {
  buildPcfg,
  isTerminal,
  type NamedRule,
  type NamedSymbol,
  type Pcfg,
  terminalIndex,
  unreachable,
} from './grammar.ts'

/**
 * The text form, that of NLTK's PCFG with two directives:
 *
 *     # comment
 *     %unreachable C1_5          nonterminals that are meant to be unreachable
 *     %agree T1_1 T1_2           nonterminals that repeat an earlier choice
 *     S -> A B [0.5] | A [1/2]
 *     A -> 'a' "b" [1]
 *
 * Terminals are quoted. Probabilities are decimals or fractions, parsed exactly; those of a nonterminal sum to 1 within
 * `sumTolerance` (papers print .3333 three times) and are then normalised.
 */
export const sumTolerance = 0.001

const longest = 1_000_000

/** @throws PcfgError with the line number. */
export function parsePcfg(text: string): Pcfg {
  if (text.length > longest)
    throw new PcfgError('too-large', `a grammar text has at most ${longest} characters, got ${text.length}`)
  const rules: (Omit<NamedRule, 'weight'> & { readonly probability: Fraction })[] = []
  const directives: Record<string, string[]> = { unreachable: [], agree: [] }
  for (const [i, raw] of text.split(/\r?\n/u).entries()) {
    const tokens = tokenize(raw, i + 1)
    const [first, arrow] = tokens
    if (first === undefined) continue
    if (first.text.startsWith('%')) {
      const names = directives[first.text.slice(1)]
      if (names === undefined)
        throw new PcfgError(
          'syntax',
          `line ${i + 1}: unknown directive ${first.text}; there are %unreachable and %agree`,
        )
      names.push(...tokens.slice(1).map((token) => token.text))
      continue
    }
    if (first.kind !== 'name' || arrow?.kind !== 'arrow')
      throw new PcfgError('syntax', `line ${i + 1}: expected "NAME -> symbols [probability]", got "${raw.trim()}"`)
    rules.push(...alternatives(first.text, tokens.slice(2), i + 1))
  }
  return buildPcfg(weigh(rules), { unreachable: directives['unreachable'] ?? [], agreement: directives['agree'] ?? [] })
}

interface Token {
  readonly kind: 'name' | 'terminal' | 'arrow' | 'bar' | 'probability'
  readonly text: string
}

const tokenPattern =
  /\s+|#.*|(?<arrow>->|→)|(?<bar>\|)|\[\s*(?<probability>[0-9]*\.?[0-9]+(?:\/[0-9]+)?)\s*\]|'(?<single>[^'\s]+)'|"(?<double>[^"\s]+)"|(?<name>%?[A-Za-z_][A-Za-z0-9_]*)/uy

function tokenize(line: string, number: number): Token[] {
  const tokens: Token[] = []
  tokenPattern.lastIndex = 0
  while (tokenPattern.lastIndex < line.length) {
    const at = tokenPattern.lastIndex
    const groups = tokenPattern.exec(line)?.groups
    if (groups === undefined)
      throw new PcfgError(
        'syntax',
        `line ${number}, column ${at + 1}: expected a name, a quoted terminal, "->", "|" or [probability], got "${line.slice(at, at + 20)}"`,
      )
    const { arrow, bar, probability, single, double, name } = groups
    if (arrow !== undefined) tokens.push({ kind: 'arrow', text: arrow })
    else if (bar !== undefined) tokens.push({ kind: 'bar', text: bar })
    else if (probability !== undefined) tokens.push({ kind: 'probability', text: probability })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name })
    else if (single !== undefined || double !== undefined)
      tokens.push({ kind: 'terminal', text: (single ?? double) as string })
  }
  return tokens
}

function alternatives(left: string, tokens: readonly Token[], line: number) {
  const rules: { left: string; right: NamedSymbol[]; probability: Fraction }[] = []
  let right: NamedSymbol[] = []
  let probability: Fraction | null = null
  const close = () => {
    if (right.length === 0)
      throw new PcfgError(
        'unsupported',
        `line ${line}: ${left} has an empty right-hand side; write the language without it`,
      )
    if (probability === null)
      throw new PcfgError(
        'syntax',
        `line ${line}: every alternative of ${left} ends in its probability, as [0.5] or [1/3]`,
      )
    rules.push({ left, right, probability })
    right = []
    probability = null
  }
  for (const token of tokens) {
    if (token.kind === 'bar') close()
    else if (token.kind === 'probability') probability = fraction(token.text, line)
    else if (token.kind === 'arrow' || probability !== null)
      throw new PcfgError('syntax', `line ${line}: "${token.text}" does not belong after [probability] or "->"`)
    else right.push({ name: token.text, terminal: token.kind === 'terminal' })
  }
  close()
  return rules
}

interface Fraction {
  readonly top: bigint
  readonly bottom: bigint
}

function fraction(text: string, line: number): Fraction {
  const [top, bottom] = text.split('/') as [string, string | undefined]
  const [whole, decimals = ''] = top.split('.') as [string, string | undefined]
  if (decimals.length > 12)
    throw new PcfgError('syntax', `line ${line}: at most 12 decimals in a probability, got ${text}`)
  const value = {
    top: BigInt(`${whole}${decimals}`),
    bottom: 10n ** BigInt(decimals.length) * BigInt(bottom ?? '1'),
  }
  if (value.bottom === 0n || value.top <= 0n || value.top > value.bottom)
    throw new PcfgError('sum', `line ${line}: a probability is above 0 and at most 1, got ${text}`)
  return value
}

/** Exact integer weights over a common denominator by nonterminal. */
function weigh(rules: readonly (Omit<NamedRule, 'weight'> & { readonly probability: Fraction })[]): NamedRule[] {
  const bottoms = new Map<string, bigint>()
  for (const { left, probability } of rules)
    bottoms.set(left, leastCommonMultiple(bottoms.get(left) ?? 1n, probability.bottom))
  const sums = new Map<string, bigint>()
  const weights = rules.map(({ left, probability }) => {
    const weight = (probability.top * (bottoms.get(left) as bigint)) / probability.bottom
    sums.set(left, (sums.get(left) ?? 0n) + weight)
    return weight
  })
  for (const [left, sum] of sums) {
    const total = Number(sum) / Number(bottoms.get(left))
    if (Math.abs(total - 1) > sumTolerance)
      throw new PcfgError('sum', `the probabilities of ${left} sum to ${total}; they sum to 1 (within ${sumTolerance})`)
  }
  const divisors = new Map<string, bigint>()
  for (const [i, { left }] of rules.entries())
    divisors.set(left, greatestCommonDivisor(divisors.get(left) ?? 0n, weights[i] as bigint))
  return rules.map(({ left, right }, i) => ({
    left,
    right,
    weight: Number((weights[i] as bigint) / (divisors.get(left) as bigint)),
  }))
}

const greatestCommonDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : greatestCommonDivisor(b, a % b))
const leastCommonMultiple = (a: bigint, b: bigint): bigint => (a / greatestCommonDivisor(a, b)) * b

/** The canonical text of a grammar, probabilities as reduced fractions; `parsePcfg` gives the same grammar back. */
export function printPcfg(grammar: Pcfg): string {
  const lines: string[] = []
  const declared = unreachable(grammar)
  if (declared.length > 0) lines.push(`%unreachable ${declared.join(' ')}`)
  if (grammar.agreement.length > 0)
    lines.push(`%agree ${grammar.agreement.map((n) => grammar.nonterminals[n]).join(' ')}`)
  for (const rule of grammar.rules) {
    const right = rule.right.map((symbol) => symbolText(grammar, symbol))
    lines.push(`${grammar.nonterminals[rule.left]} -> ${right.join(' ')} [${probabilityText(grammar, rule)}]`)
  }
  return `${lines.join('\n')}\n`
}

function symbolText(grammar: Pcfg, symbol: number): string {
  if (!isTerminal(symbol)) return grammar.nonterminals[symbol] as string
  const text = grammar.terminals[terminalIndex(symbol)] as string
  return text.includes("'") ? `"${text}"` : `'${text}'`
}

function probabilityText(grammar: Pcfg, rule: Pcfg['rules'][number]): string {
  let total = 0
  for (const r of grammar.rulesOf[rule.left] as readonly number[]) total += grammar.rules[r]!.weight
  return rule.weight === total ? '1' : `${rule.weight}/${total}`
}
