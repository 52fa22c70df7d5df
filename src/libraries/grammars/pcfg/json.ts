import { isArray, isObject, type Json } from '../../../core/index.ts'
import { PcfgError } from './error.ts'
import { buildPcfg, type NamedRule, type NamedSymbol, type Pcfg, unreachable } from './grammar.ts'
import { namedRules } from './transform.ts'

/**
 * The JSON form: `{ format: "pcfg/1", unreachable: [names], agree: [names], reading, rules: [{ left, right, weight }] }`, where
 * `right` lists `{ "terminal": "a" }` and `{ "nonterminal": "A" }` and weights are positive integers relative to the
 * other rules of `left`; `reading` is `crossed` or left out. The left side of the first rule is the start symbol.
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
  if (!isObject(json) || json['format'] !== 'pcfg/1')
    throw wrong('format', '"pcfg/1"', isObject(json) ? json['format'] : json)
  const { rules } = json
  if (rules === undefined || !isArray(rules)) throw wrong('rules', 'a list', rules)
  return buildPcfg(rules.map(readRule), {
    unreachable: names(json['unreachable'], 'unreachable'),
    agreement: names(json['agree'], 'agree'),
    reading: readReading(json['reading']),
  })
}

function readReading(json: Json | undefined): Pcfg['reading'] {
  if (json === undefined || json === 'plain' || json === 'crossed') return json ?? 'plain'
  throw wrong('reading', '"plain" or "crossed"', json)
}

function readRule(json: Json, i: number): NamedRule {
  if (!isObject(json)) throw wrong(`rules[${i}]`, 'an object', json)
  const { left, right, weight } = json
  if (typeof left !== 'string') throw wrong(`rules[${i}].left`, 'a name', left)
  if (typeof weight !== 'number') throw wrong(`rules[${i}].weight`, 'a positive integer', weight)
  if (right === undefined || !isArray(right)) throw wrong(`rules[${i}].right`, 'a list', right)
  return { left, weight, right: right.map((symbol, j) => readSymbol(symbol, `rules[${i}].right[${j}]`)) }
}

function readSymbol(json: Json, path: string): NamedSymbol {
  if (isObject(json)) {
    const { terminal, nonterminal } = json
    if (typeof terminal === 'string') return { name: terminal, terminal: true }
    if (typeof nonterminal === 'string') return { name: nonterminal, terminal: false }
  }
  throw wrong(path, '{ terminal: "a" } or { nonterminal: "A" }', json)
}

function names(json: Json | undefined, path: string): string[] {
  if (json === undefined) return []
  if (!isArray(json) || !json.every((name) => typeof name === 'string')) throw wrong(path, 'a list of names', json)
  return [...json]
}

const wrong = (path: string, expected: string, got: Json | undefined) =>
  new PcfgError('syntax', `${path}: expected ${expected}, got ${JSON.stringify(got)?.slice(0, 80) ?? 'nothing'}`)
