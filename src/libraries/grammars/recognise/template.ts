import { memoize } from '../../../core/memo.ts'
import type { Cnf } from '../grammar/cnf.ts'
import { type ParseAnalyzer, parseAnalyzer } from './parses.ts'

/** A place of a template that any token may take. */
export const BLANK = -1

/** Strings with blanks: is there a filling in the language, and one of them. */
export interface TemplateAnalyzer {
  /** Has the template a filling in the language? */
  fits(template: ArrayLike<number>): boolean
  /** A filling with its derivation (rules of the grammar, leftmost order), the one of the first parse; null: none. */
  fill(template: ArrayLike<number>): { readonly tokens: Int32Array; readonly derivation: readonly number[] } | null
}

/** The grammar with one more token that every symbol with a token has, and charts over it. */
export const templateAnalyzer = memoize((cnf: Cnf): TemplateAnalyzer => {
  const any = cnf.terminals.length
  const lexical = cnf.lexical.length / 2
  const binary = cnf.binary.length / 3
  /** The first lexical rule of each symbol that has one. */
  const firstRule = new Map<number, number>()
  for (let rule = lexical - 1; rule >= 0; rule--) firstRule.set(cnf.lexical[2 * rule]!, rule)
  const owners = [...firstRule.keys()]
  const analyzer: ParseAnalyzer = parseAnalyzer({
    ...cnf,
    terminals: [...cnf.terminals, 'any token'],
    lexical: Int32Array.from([...cnf.lexical, ...owners.flatMap((symbol) => [symbol, any])]),
  })
  const marked = (template: ArrayLike<number>): Int32Array =>
    Int32Array.from(template, (token) => (token === BLANK ? any : token))
  return {
    fits: (template) => analyzer.chart(marked(template)).has(0, 0, template.length),
    fill(template) {
      const found = analyzer.derivation(marked(template))
      if (found === null) return null
      const derivation = found.map((rule) =>
        rule < binary + lexical ? rule : binary + firstRule.get(owners[rule - binary - lexical]!)!,
      )
      const leaves = derivation.filter((rule) => rule >= binary).map((rule) => cnf.lexical[2 * (rule - binary) + 1]!)
      return { tokens: Int32Array.from(leaves), derivation }
    },
  }
})
