import { type Cfg, GrammarKindError } from '../grammar/cfg.ts'

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
