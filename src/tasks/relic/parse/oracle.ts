import type { Question } from '../../../core/index.ts'
import { parseNltkGrammar } from '../../../libraries/grammars/notation/nltk.ts'
import type { Derivation } from '../grammars/derivation.ts'
import type { Shared } from '../grammars/grammar.ts'
import { parserOf } from '../grammars/text-parser.ts'
import type { Given } from './draw.ts'

/** Rows of symbols are not rewritten beyond this. */
const MAX_ROW = 10_000

/**
 * Another way than the grade's: the rules rewrite a row of symbols from the left, each looked up in the text of the grammar;
 * and Earley's algorithm accepts the string.
 */
export function oracle({ shared, given }: Question<Shared, Given>, answer: Derivation): boolean {
  const { start, rules } = parseNltkGrammar(shared.grammar)
  const lines = new Set(rules.map(({ left, right }) => [left, ...right.map(({ name }) => name)].join(' ')))
  const quoted = new Set(
    rules.flatMap(({ right }) => right.flatMap(({ kind, name }) => (kind === 'terminal' ? name : []))),
  )
  let row: readonly string[] = [start]
  for (const [left = '', ...right] of answer) {
    const at = row.findIndex((name) => !quoted.has(name))
    if (row[at] !== left || !lines.has([left, ...right].join(' '))) return false
    row = [...row.slice(0, at), ...right, ...row.slice(at + 1)]
    if (row.length > MAX_ROW) return false
  }
  return row.join(' ') === given.string && parserOf(shared).accepts(row)
}
