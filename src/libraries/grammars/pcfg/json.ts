import { z } from 'zod'
import type { Json } from '../../../core/index.ts'
import { buildPcfg, type Pcfg, PcfgError, unreachable } from './grammar.ts'
import { namedRules } from './transform.ts'

/**
 * The JSON form: `{ format: "pcfg/1", unreachable: [names], agree: [names], reading, rules: [{ left, right, weight }] }`, where
 * `right` lists `{ "terminal": "a" }` and `{ "nonterminal": "A" }` and weights are positive integers relative to the
 * other rules of `left`; `reading` is `crossed` or absent. The left side of the first rule is the start symbol.
 *
 * @example
 * import { parsePcfg, pcfgToJson } from '@touchstone-eval/touchstone/grammars'
 *
 * console.log(JSON.stringify(pcfgToJson(parsePcfg("S -> 'b' [1]")))) // {"format":"pcfg/1","unreachable":[],"agree":[],"rules":[{"left":"S","right":[{"terminal":"b"}],"weight":1}]}
 */
export function pcfgToJson(grammar: Pcfg): Json {
  return {
    format: 'pcfg/1',
    unreachable: unreachable(grammar),
    agree: grammar.agreement.map((i) => grammar.nonterminals[i] as string),
    ...(grammar.reading === 'crossed' ? { reading: grammar.reading } : {}),
    rules: namedRules(grammar).map(({ left, right, weight }) => ({
      left,
      right: right.map(({ name, terminal }): Json => (terminal ? { terminal: name } : { nonterminal: name })),
      weight,
    })),
  }
}

/**
 * A probabilistic grammar from its JSON form, checked; `pcfgToJson` says what that is.
 *
 * @throws PcfgError naming what was expected where.
 *
 * @example
 * import { parsePcfg, pcfgFromJson, pcfgToJson, printPcfg } from '@touchstone-eval/touchstone/grammars'
 *
 * const grammar = parsePcfg("S -> 'a' S [1/4] | 'b' [3/4]")
 * console.log(printPcfg(pcfgFromJson(pcfgToJson(grammar))) === printPcfg(grammar)) // true
 */
export function pcfgFromJson(json: Json): Pcfg {
  const read = pcfgJson.safeParse(json)
  if (!read.success) throw new PcfgError('syntax', `not of the format pcfg/1: ${z.prettifyError(read.error)}`)
  const { rules, unreachable: declared, agree, reading } = read.data
  const named = rules.map(({ left, right, weight }) => ({
    left,
    right: right.map((symbol) =>
      'terminal' in symbol ? { name: symbol.terminal, terminal: true } : { name: symbol.nonterminal, terminal: false },
    ),
    weight,
  }))
  return buildPcfg(named, { unreachable: declared, agreement: agree, reading })
}

const pcfgJson = z.object({
  format: z.literal('pcfg/1'),
  unreachable: z.array(z.string()).default([]),
  agree: z.array(z.string()).default([]),
  reading: z.enum(['plain', 'crossed']).default('plain'),
  rules: z.array(
    z.object({
      left: z.string(),
      right: z.array(z.union([z.object({ terminal: z.string() }), z.object({ nonterminal: z.string() })])),
      weight: z.number(),
    }),
  ),
})
