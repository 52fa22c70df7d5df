import type { Question } from '../../../core/index.ts'
import type { Derivation } from '../grammars/derivation.ts'
import type { Shared } from '../grammars/grammar.ts'
import { parserOf } from '../grammars/text-parser.ts'
import type { Given } from './draw.ts'

/**
 * Another way than the grade's: the rules rewrite a row of symbols from the left, each looked up in the text of the grammar;
 * and Earley's algorithm accepts the string.
 */
export function oracle({ shared, given }: Question<Shared, Given>, answer: Derivation): boolean {
  const lines = new Set(shared.grammar.replaceAll("'", '').split('\n'))
  const quoted = new Set([...shared.grammar.matchAll(/'([^']+)'/gu)].map(([, token]) => token))
  let row: readonly string[] = ['S']
  for (const [left = '', ...right] of answer) {
    const at = row.findIndex((name) => !quoted.has(name))
    if (row[at] !== left || !lines.has(`${left} -> ${right.join(' ')}`)) return false
    row = [...row.slice(0, at), ...right, ...row.slice(at + 1)]
    if (row.length > given.string.length) return false
  }
  return row.join(' ') === given.string && parserOf(shared).accepts(row)
}
