import { z } from 'zod'
import { type Cfg, GrammarKindError, parseRational, printRational } from '../grammar/cfg.ts'

const symbol = z.union([
  z.strictObject({ nonterminal: z.string().min(1) }),
  z.strictObject({ terminal: z.string().min(1) }),
])

/** A grammar as JSON: `{ start, rules: [{ left, right: [{ nonterminal } | { terminal }], weight?: "p/q" }] }`. */
export const grammarJson = z.strictObject({
  start: z.string().min(1),
  rules: z
    .array(z.strictObject({ left: z.string().min(1), right: z.array(symbol).max(1000), weight: z.string().optional() }))
    .max(1_000_000),
})
/** A grammar as JSON: a start symbol, and rules in order, a weight as text (`1/4`) where one was written. */
export type GrammarJson = z.infer<typeof grammarJson>

/**
 * A grammar from its JSON form, checked; `cfgToJson` writes it.
 *
 * @throws {GrammarKindError} naming the place that is wrong and what was expected there.
 *
 * @example
 * import { cfgFromJson, cfgToJson, parseNltkGrammar, printNltkGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * const stored = JSON.stringify(cfgToJson(parseNltkGrammar("S -> 'a' S 'b' |")))
 * console.log(printNltkGrammar(cfgFromJson(JSON.parse(stored))).split('\n')[0]) // S -> 'a' S 'b'
 */
export function cfgFromJson(value: unknown): Cfg {
  const read = grammarJson.safeParse(value)
  if (!read.success) throw new GrammarKindError(`not a grammar: ${z.prettifyError(read.error)}`)
  return {
    start: read.data.start,
    rules: read.data.rules.map(({ left, right, weight: text }, at) => {
      const weight = text === undefined ? null : parseRational(text)
      if (text !== undefined && weight === null)
        throw new GrammarKindError(
          `not a grammar: rules[${at}].weight is ${JSON.stringify(text)}; expected a decimal or a fraction such as "1/4"`,
        )
      return {
        left,
        right: right.map((one) =>
          'terminal' in one ? { kind: 'terminal', name: one.terminal } : { kind: 'nonterminal', name: one.nonterminal },
        ),
        weight,
      }
    }),
  }
}

/**
 * The JSON form of a grammar; `cfgFromJson` gives the same grammar back.
 *
 * @example
 * import { cfgToJson, parseNltkGrammar } from '@touchstone-eval/touchstone/grammars'
 *
 * console.log(JSON.stringify(cfgToJson(parseNltkGrammar("S -> 'a'")))) // {"start":"S","rules":[{"left":"S","right":[{"terminal":"a"}]}]}
 */
export const cfgToJson = ({ start, rules }: Cfg): GrammarJson => ({
  start,
  rules: rules.map(({ left, right, weight }) => ({
    left,
    right: right.map(({ kind, name }) => (kind === 'terminal' ? { terminal: name } : { nonterminal: name })),
    ...(weight === null ? {} : { weight: printRational(weight) }),
  })),
})
