import { greatestCommonDivisor, parseRational, type Rational } from '../grammar/rational.ts'
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
 * The text form, that of NLTK's PCFG with three directives:
 *
 *     # comment
 *     %unreachable C1_5          nonterminals that are meant to be unreachable
 *     %agree T1_1 T1_2           nonterminals that repeat an earlier choice
 *     %crossed                   rules A -> 'x' B 'y' are read first in first out (crossed.ts)
 *     S -> A B [0.5] | A [1/2]
 *     A -> 'a' "b" [1]
 *
 * Terminals are quoted. Probabilities are decimals or fractions, read exactly; those of a nonterminal sum to 1 within
 * `sumTolerance` (papers print .3333 three times) and are then normalised.
 */
export const sumTolerance = 0.001

const longest = 1_000_000

/**
 * Reads the text form of a probabilistic grammar: `S -> NP VP [0.7] | 'x' [3/10]`, probabilities as decimals or fractions.
 *
 * @throws PcfgError with the line number.
 *
 * @example
 * import { parsePcfg } from '@touchstone-eval/touchstone/grammars'
 *
 * const { nonterminals, rules } = parsePcfg("S -> 'a' S [1/4] | 'b' [3/4]")
 * console.log(nonterminals, rules.length) // [ 'S' ] 2
 */
export function parsePcfg(text: string): Pcfg {
  checkSize(text)
  const rules: ReadRule[] = []
  const unreachables: string[] = []
  const agreement: string[] = []
  let reading: Pcfg['reading'] = 'plain'
  const directives = new Map([
    ['%unreachable', unreachables],
    ['%agree', agreement],
  ])
  for (const [i, raw] of text.split(/\r?\n/u).entries()) {
    const tokens = tokenize(raw, i + 1)
    const [first, arrow] = tokens
    if (first === undefined) continue
    if (first.text === '%crossed' && tokens.length === 1) {
      reading = 'crossed'
      continue
    }
    if (first.text.startsWith('%')) {
      const names = directives.get(first.text)
      if (names === undefined)
        throw new PcfgError(
          'syntax',
          `line ${i + 1}: unknown directive ${raw.trim()}; there are %unreachable NAMES, %agree NAMES and %crossed`,
        )
      names.push(...tokens.slice(1).map((token) => token.text))
      continue
    }
    if (first.kind !== 'name' || arrow?.kind !== 'arrow')
      throw new PcfgError('syntax', `line ${i + 1}: expected "NAME -> symbols [probability]", got "${raw.trim()}"`)
    rules.push(...alternatives(first.text, tokens.slice(2), i + 1))
  }
  return buildPcfg(weigh(rules), { unreachable: unreachables, agreement, reading })
}

function checkSize(text: string): void {
  if (text.length > longest)
    throw new PcfgError('too-large', `a grammar text has at most ${longest} characters, got ${text.length}`)
}

interface ReadRule extends Omit<NamedRule, 'weight'> {
  readonly probability: Rational
}

interface Token {
  readonly kind: 'name' | 'terminal' | 'arrow' | 'bar' | 'probability'
  readonly text: string
}

const tokenPattern =
  /\s+|#.*|(?<arrow>->|→)|(?<bar>\|)|\[\s*(?<probability>[0-9./]+)\s*\]|'(?<single>[^'\s]+)'|"(?<double>[^"\s]+)"|(?<name>%?[A-Za-z_][A-Za-z0-9_]*)/uy

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

function alternatives(left: string, tokens: readonly Token[], line: number): ReadRule[] {
  const rules: ReadRule[] = []
  let right: NamedSymbol[] = []
  let probability: Rational | null = null
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
    else if (token.kind === 'probability') probability = probabilityOf(token.text, line)
    else if (token.kind === 'arrow' || probability !== null)
      throw new PcfgError('syntax', `line ${line}: "${token.text}" does not belong after [probability] or "->"`)
    else right.push({ name: token.text, terminal: token.kind === 'terminal' })
  }
  close()
  return rules
}

function probabilityOf(text: string, line: number): Rational {
  const value = parseRational(text)
  if (value === null)
    throw new PcfgError(
      'syntax',
      `line ${line}: a probability is a decimal as 0.25 or a fraction as 1/4, of at most 30 digits, got ${text}`,
    )
  if (value.numerator === 0n || value.numerator > value.denominator)
    throw new PcfgError('sum', `line ${line}: a probability is above 0 and at most 1, got ${text}`)
  return value
}

/** Weights beyond are no exact integers as numbers. */
const maxWeight = 2n ** 53n

/** Exact integer weights over a common denominator by nonterminal. */
function weigh(rules: readonly ReadRule[]): NamedRule[] {
  const bottoms = new Map<string, bigint>()
  for (const { left, probability } of rules) {
    const known = bottoms.get(left) ?? 1n
    const bottom = known * (probability.denominator / greatestCommonDivisor(known, probability.denominator))
    if (bottom > maxWeight)
      throw new PcfgError(
        'sum',
        `the probabilities of ${left} have no common denominator up to 2^53; give them fewer digits`,
      )
    bottoms.set(left, bottom)
  }
  const sums = new Map<string, bigint>()
  const weights = rules.map(({ left, right, probability }) => {
    const weight = probability.numerator * ((bottoms.get(left) as bigint) / probability.denominator)
    sums.set(left, (sums.get(left) ?? 0n) + weight)
    return { left, right, weight: Number(weight) }
  })
  for (const [left, sum] of sums) {
    const total = Number(sum) / Number(bottoms.get(left))
    if (Math.abs(total - 1) > sumTolerance)
      throw new PcfgError('sum', `the probabilities of ${left} sum to ${total}; they sum to 1 (within ${sumTolerance})`)
  }
  return weights
}

/**
 * The canonical text of a grammar, probabilities as fractions; `parsePcfg` gives the same grammar back.
 *
 * @throws PcfgError where the text is longer than `parsePcfg` reads.
 *
 * @example
 * import { parsePcfg, printPcfg } from '@touchstone-eval/touchstone/grammars'
 *
 * console.log(printPcfg(parsePcfg("S -> 'a' S [0.25] | 'b' [0.75]")).split('\n')[0]) // S -> 'a' S [1/4]
 */
export function printPcfg(grammar: Pcfg): string {
  const lines: string[] = []
  const declared = unreachable(grammar)
  if (declared.length > 0) lines.push(`%unreachable ${declared.join(' ')}`)
  if (grammar.agreement.length > 0)
    lines.push(`%agree ${grammar.agreement.map((n) => grammar.nonterminals[n]).join(' ')}`)
  if (grammar.reading === 'crossed') lines.push('%crossed')
  for (const rule of grammar.rules) {
    const right = rule.right.map((symbol) => symbolText(grammar, symbol))
    lines.push(`${grammar.nonterminals[rule.left]} -> ${right.join(' ')} [${probabilityText(grammar, rule)}]`)
  }
  const text = `${lines.join('\n')}\n`
  checkSize(text)
  return text
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
