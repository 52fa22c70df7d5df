import {
  type Cfg,
  type CfgRule,
  type CfgSymbol,
  GrammarKindError,
  GrammarSyntaxError,
  nonterminal,
  terminal,
} from '../grammar/cfg.ts'
import { described, grammarTokens, type Token } from './tokens.ts'

const FORM = 'Write name: a b | "word", further alternatives on lines that begin with |'

/**
 * Reads the plain rules of Lark's notation: `name: a b | "word"`, alternatives also on following lines that begin with
 * `|`, `//` comments; `%ignore` and `%import` lines, which concern blanks between tokens, are passed over. The start
 * symbol is `start` by default. Operators, groups and regular expressions are not read.
 *
 * @throws {GrammarSyntaxError} with line and column, also for a name that has no rule.
 *
 * @example
 * import { parseLarkGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * console.log(parseLarkGrammar('start: "a" start "b" | "a" "b"').rules.length) // 2
 */
export function parseLarkGrammar(text: string, options: { readonly start?: string } = {}): Cfg {
  const start = options.start ?? 'start'
  const rules: CfgRule[] = []
  const uses: Token[] = []
  let left: string | null = null
  let right: CfgSymbol[] = []
  const close = () => {
    if (left !== null) rules.push({ left, right, weight: null })
    right = []
  }
  const tokens = grammarTokens(text, { comment: '//', escapes: true })
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1]
    const begins = at === 0 || tokens[at - 1]?.kind === 'newline'
    if (token.kind === 'newline' || token.kind === 'end') continue
    if (token.kind === 'directive') {
      if (!begins) fail(token, 'a directive to begin on its own line')
      if (!/^%(?:ignore|import)\s/.test(token.text)) fail(token, 'a rule, %ignore or %import')
    } else if (token.kind === 'name' && next?.kind === 'colon') {
      if (!begins) fail(token, 'a rule to begin on its own line')
      close()
      left = token.text
    } else if (token.kind === 'colon') {
      if (tokens[at - 1]?.kind !== 'name' || right.length > 0) fail(token, 'a name before the colon')
    } else if (left === null) fail(token, 'a rule name and a colon')
    else if (token.kind === 'bar') close()
    else if (begins) fail(token, 'a rule name and a colon, or | to go on')
    else if (token.kind === 'quoted') right.push(terminal(token.text))
    else if (token.kind === 'name') {
      uses.push(token)
      right.push(nonterminal(token.text))
    } else fail(token, 'a name, a quoted word or |')
  }
  close()
  const defined = new Set(rules.map((rule) => rule.left))
  for (const use of uses) if (!defined.has(use.text)) fail(use, 'a name that has a rule')
  if (!defined.has(start))
    throw new GrammarSyntaxError(
      { line: 1, column: 1 },
      `expected a rule for the start symbol ${start}, found none`,
      'Name another start symbol, or add the rule',
    )
  return { start, rules }
}

function fail(token: Token, expected: string): never {
  throw new GrammarSyntaxError(token, `expected ${expected}, found ${described(token)}`, FORM)
}

/**
 * Writes plain Lark rules, alternatives of a symbol together, symbols in order of their first rule. Lark wants rule
 * names in lower case: they are lowered.
 *
 * @throws {GrammarKindError} for names that Lark does not take, or that differ in case only; for weights.
 *
 * @example
 * import { parseNltkGrammar, printLarkGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * console.log(printLarkGrammar(parseNltkGrammar("S -> 'a' S | 'b'")).trim().split('\n')[0]) // s: "a" s | "b"
 */
export function printLarkGrammar(cfg: Cfg): string {
  const lowered = new Map<string, string>()
  const rule = (name: string): string => {
    const low = name.toLowerCase()
    if (!/^_?[a-z][_a-z0-9]*$/.test(low))
      throw new GrammarKindError(`Lark takes rule names of letters, digits and _ only, not ${JSON.stringify(name)}`)
    const before = lowered.get(low)
    if (before !== undefined && before !== name)
      throw new GrammarKindError(
        `${before} and ${name} would be the same name in Lark, which wants lower case; rename one`,
      )
    lowered.set(low, name)
    return low
  }
  const alternatives = new Map<string, string[]>()
  for (const { left, right, weight } of cfg.rules) {
    if (weight !== null) throw new GrammarKindError('Lark rules have no weights; leave them out first')
    const body = right.map(({ kind, name }) => (kind === 'terminal' ? quoted(name) : rule(name))).join(' ')
    const own = alternatives.get(rule(left))
    if (own === undefined) alternatives.set(rule(left), [body])
    else own.push(body)
  }
  return [...alternatives].map(([left, bodies]) => `${left}: ${bodies.join(' | ')}`).join('\n')
}

/** A terminal in quotes, in escapes that Lark knows. */
const quoted = (name: string): string =>
  `"${name.replace(/["\\]/g, '\\$&').replace(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, codeOf)}"`

const codeOf = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
