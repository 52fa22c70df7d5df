import type { Question } from '../../../core/index.ts'
import { parseNltkGrammar } from '../../../libraries/grammars/notation/nltk.ts'
import type { Derivation } from '../grammars/derivation.ts'
import type { Shared } from '../grammars/grammar.ts'
import type { Given } from '../grammars/strings.ts'
import { acceptsPairs, clausesOf, parserOf } from '../grammars/text-parser.ts'

/**
 * Of a grammar over pairs: the clauses of its printed text write the strings of the tree from its leaves to S; and deduction over
 * tuples accepts the string.
 */
function derivesPairs(shared: Shared, string: string, answer: Derivation): boolean {
  const clauses = clausesOf(shared)
  const { nonterminals, tokens, rules } = clauses
  const names = [...tokens.keys()]
  /** Strings of finished trees, the next child uppermost. */
  const built: { readonly symbol: string; readonly strings: readonly (readonly number[])[] }[] = []
  for (const [left, ...right] of answer.toReversed()) {
    const isLeaf = right.every((name) => tokens.has(name))
    const children = isLeaf ? [] : right.map(() => built.pop())
    if (children.some((child, at) => child?.symbol !== right[at])) return false
    const rule = rules.find(
      (one) =>
        nonterminals[one.left] === left &&
        (isLeaf
          ? one.children.length === 0 &&
            one.components
              .flatMap((parts) => parts.flatMap((part) => (part.kind === 'token' ? names[part.token]! : [])))
              .join(' ') === right.join(' ')
          : one.children.map((child) => nonterminals[child]).join(' ') === right.join(' ')),
    )
    if (rule === undefined) return false
    built.push({
      symbol: left!,
      strings: rule.components.map((parts) =>
        parts.flatMap((part) => (part.kind === 'token' ? part.token : children[part.child]!.strings[part.component]!)),
      ),
    })
  }
  const [root, ...others] = built
  return (
    others.length === 0 &&
    root?.symbol === nonterminals[0] &&
    root!.strings.map((row) => row.map((token) => names[token]).join(' ')).join() === string &&
    acceptsPairs(shared, string.split(' '))
  )
}

/** Rows of symbols are not rewritten beyond this. */
const MAX_ROW = 10_000

/**
 * Another way than the grade's: the rules rewrite a row of symbols from the left, each looked up in the text of the grammar;
 * and Earley's algorithm accepts the string.
 */
export function oracle({ shared, given }: Question<Shared, Given>, answer: Derivation): boolean {
  if (shared.pairs !== undefined) return derivesPairs(shared, given.string, answer)
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
