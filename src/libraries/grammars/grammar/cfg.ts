import type { Cnf } from './cnf.ts'

/** A place in a grammar's text, both 1-based; columns count UTF-16 units. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** A grammar text that cannot be read: where, what was expected, what stood there, and what to do about it. */
export class GrammarSyntaxError extends Error {
  override readonly name = 'GrammarSyntaxError'
  readonly line: number
  readonly column: number

  constructor(place: Place, problem: string, remedy: string) {
    super(`line ${place.line}, column ${place.column}: ${problem}. ${remedy}`)
    this.line = place.line
    this.column = place.column
  }
}

/** A grammar that is well written but not of the kind asked for. */
export class GrammarKindError extends Error {
  override readonly name = 'GrammarKindError'
}

/** An exact fraction in lowest terms with a positive denominator. */
export interface Rational {
  readonly numerator: bigint
  readonly denominator: bigint
}

export function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

/** @throws {RangeError} when the denominator is zero */
export function rational(numerator: bigint, denominator = 1n): Rational {
  if (denominator === 0n) throw new RangeError('a fraction needs a denominator other than 0')
  const sign = denominator < 0n ? -1n : 1n
  const divisor = greatestCommonDivisor(numerator < 0n ? -numerator : numerator, denominator * sign)
  return { numerator: (sign * numerator) / divisor, denominator: (sign * denominator) / divisor }
}

const FORM = /^(\d{0,30})(?:\.(\d{0,30}))?(?:\/(\d{1,30}))?$/

/** Reads `1/4`, `0.25`, `.25` or `2`, exactly; null for anything else, and for more than 30 digits in a part. */
export function parseRational(text: string): Rational | null {
  const [, whole = '', decimals = '', denominator] = FORM.exec(text) ?? []
  if (whole + decimals === '' || (denominator !== undefined && (decimals !== '' || BigInt(denominator) === 0n)))
    return null
  if (denominator !== undefined) return rational(BigInt(whole), BigInt(denominator))
  return rational(BigInt(whole + decimals), BigInt(`1${'0'.repeat(decimals.length)}`))
}

/** `p/q`, or `p` for whole numbers. */
export const printRational = ({ numerator, denominator }: Rational): string =>
  denominator === 1n ? `${numerator}` : `${numerator}/${denominator}`

/** A symbol of a rule, by its name: one that is rewritten, or one that stands in strings. */
export interface CfgSymbol {
  readonly kind: 'nonterminal' | 'terminal'
  readonly name: string
}

/** left -> right; an empty right-hand side derives the empty string. `weight` as written, null where none was. */
export interface CfgRule {
  readonly left: string
  readonly right: readonly CfgSymbol[]
  readonly weight: Rational | null
}

/** Any context-free grammar, as its text had it: long, unit, empty and repeated rules, in order. */
export interface Cfg {
  readonly start: string
  readonly rules: readonly CfgRule[]
}

export const nonterminal = (name: string): CfgSymbol => ({ kind: 'nonterminal', name })
export const terminal = (name: string): CfgSymbol => ({ kind: 'terminal', name })

/**
 * The general form of a grammar in Chomsky normal form: binary rules first, then lexical ones, in order.
 *
 * @example
 * import { cfgOf, parseRelicGrammar, printNltkGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const cnf = parseRelicGrammar("S -> A A\nA -> 'a'")
 * console.log(printNltkGrammar(cfgOf(cnf)).split('\n')[0]) // S -> A A
 */
export function cfgOf(cnf: Cnf): Cfg {
  const { nonterminals, terminals, binary, lexical } = cnf
  const name = (at: number) => nonterminals[at] as string
  const rules: CfgRule[] = []
  for (let at = 0; at < binary.length; at += 3)
    rules.push({
      left: name(binary[at]!),
      right: [nonterminal(name(binary[at + 1]!)), nonterminal(name(binary[at + 2]!))],
      weight: null,
    })
  for (let at = 0; at < lexical.length; at += 2)
    rules.push({
      left: name(lexical[at]!),
      right: [terminal(terminals[lexical[at + 1] as number] as string)],
      weight: null,
    })
  return { start: name(0), rules }
}

/**
 * A grammar that is in RELIC's Chomsky normal form already, compiled; weights are dropped. `normalForm` converts
 * any other.
 *
 * @throws {GrammarKindError} naming the first rule that is not of the form, that stands twice, or that has the start
 * symbol on the right.
 *
 * @example
 * import { cnfOf, parseNltkGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const cnf = cnfOf(parseNltkGrammar("S -> A A\nA -> 'a'"))
 * console.log(cnf.nonterminals, cnf.binary.length / 3) // [ 'S', 'A' ] 1
 */
export function cnfOf(cfg: Cfg): Cnf {
  const nonterminals = new Map([[cfg.start, 0]])
  const terminals = new Map<string, number>()
  const binary: number[] = []
  const lexical: number[] = []
  const seen = new Set<string>()
  for (const rule of cfg.rules) {
    const [first, second] = rule.right
    const left = numberOf(nonterminals, rule.left)
    const text = printRule(rule)
    const key = JSON.stringify([rule.left, rule.right])
    if (seen.has(key)) throw new GrammarKindError(`the rule ${text} stands twice; remove one of the two`)
    seen.add(key)
    if (rule.right.some(({ kind, name }) => kind === 'nonterminal' && name === cfg.start))
      throw new GrammarKindError(`the rule ${text} has the start symbol on the right; convert with normalForm`)
    if (rule.right.length === 1 && first?.kind === 'terminal') lexical.push(left, numberOf(terminals, first.name))
    else if (rule.right.length === 2 && first?.kind === 'nonterminal' && second?.kind === 'nonterminal')
      binary.push(left, numberOf(nonterminals, first.name), numberOf(nonterminals, second.name))
    else
      throw new GrammarKindError(
        `the rule ${text} is neither A -> B C nor A -> 't'; Chomsky normal form has these two alone: convert with normalForm`,
      )
  }
  return {
    nonterminals: [...nonterminals.keys()],
    terminals: [...terminals.keys()],
    binary: Int32Array.from(binary),
    lexical: Int32Array.from(lexical),
  }
}

/** The number of a name, a new one where it has none. */
export function numberOf(names: Map<string, number>, name: string): number {
  const known = names.get(name) ?? names.size
  names.set(name, known)
  return known
}

/** A rule as the grammar has it: `A -> 't' B`. */
export const printRule = ({ left, right }: CfgRule): string =>
  [left, '->', ...right.map(({ kind, name }) => (kind === 'terminal' ? `'${name}'` : name))].join(' ')
