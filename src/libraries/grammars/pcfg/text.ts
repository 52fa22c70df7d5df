import { type CfgRule, GrammarSyntaxError, greatestCommonDivisor, type Rational } from '../grammar/cfg.ts'
import { readRules } from '../notation/nltk.ts'
import { buildPcfg, isTerminal, type NamedRule, type Pcfg, PcfgError, terminalIndex, unreachable } from './grammar.ts'

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
  const names = { '%unreachable': [] as string[], '%agree': [] as string[] }
  let reading: Pcfg['reading'] = 'plain'
  const rules = syntaxChecked(() =>
    readRules(text, ({ text: directive, line }) => {
      const [kind, ...named] = directive.replace(/#.*/u, '').trim().split(/\s+/u)
      if (kind === '%crossed' && named.length === 0) reading = 'crossed'
      else if (kind === '%unreachable' || kind === '%agree') names[kind].push(...named)
      else
        throw new PcfgError(
          'syntax',
          `line ${line}: unknown directive ${directive}; there are %unreachable NAMES, %agree NAMES and %crossed`,
        )
    }),
  )
  return buildPcfg(weigh(rules.map(withProbability)), {
    unreachable: names['%unreachable'],
    agreement: names['%agree'],
    reading,
  })
}

function syntaxChecked<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof GrammarSyntaxError ? new PcfgError('syntax', error.message) : error
  }
}

function checkSize(text: string): void {
  if (text.length > longest)
    throw new PcfgError('too-large', `a grammar text has at most ${longest} characters, got ${text.length}`)
}

interface ReadRule extends Omit<NamedRule, 'weight'> {
  readonly probability: Rational
}

function withProbability({ left, right, weight, line }: CfgRule & { readonly line: number }): ReadRule {
  if (right.length === 0)
    throw new PcfgError(
      'unsupported',
      `line ${line}: ${left} has an empty right-hand side; write the language without it`,
    )
  if (weight === null)
    throw new PcfgError(
      'syntax',
      `line ${line}: every alternative of ${left} ends in its probability, as [0.5] or [1/3]`,
    )
  if (weight.numerator === 0n || weight.numerator > weight.denominator)
    throw new PcfgError('sum', `line ${line}: the probabilities of ${left} are above 0 and at most 1`)
  return { left, right: right.map(({ kind, name }) => ({ name, terminal: kind === 'terminal' })), probability: weight }
}

/** Weights beyond are no exact integers as numbers. */
const MAX_WEIGHT = 2n ** 53n

/** Exact integer weights over a common denominator by nonterminal. */
function weigh(rules: readonly ReadRule[]): NamedRule[] {
  const bottoms = new Map<string, bigint>()
  for (const { left, probability } of rules) {
    const known = bottoms.get(left) ?? 1n
    const bottom = known * (probability.denominator / greatestCommonDivisor(known, probability.denominator))
    if (bottom > MAX_WEIGHT)
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
