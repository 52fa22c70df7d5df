import { memoize } from '../../../../core/index.ts'
import type { Cnf } from '../../../../libraries/grammars/grammar/cnf.ts'
import { grammarStructure } from '../../../../libraries/grammars/grammar/statistics.ts'
import { arrangements } from '../../../../libraries/grammars/recognise/pair-chart.ts'
import { pack } from '../../../../libraries/grammars/sample/distinct.ts'
import { canonical, canonicalInvariant } from '../../../../libraries/graphs/canonical.ts'
import { isCrossed, pairGrammarOf } from '../../grammars/crossed.ts'
import { liftedOf, type Shared, tokensOf } from '../../grammars/grammar.ts'
import type { RelicQuestion } from '../prompt.ts'

const kind = 'relic/grammar'

/** Equal for grammars that differ by names and order of rules only: 32 hex digits. */
export const grammarKey = (grammar: Cnf): string => canonicalInvariant(kind, grammarStructure(grammar))

/** The key of a group's grammar. */
export const keyOf = memoize((shared: Shared): string => grammarKey(liftedOf(shared).cnf))

/**
 * Canonical names of a grammar: for every terminal its class of interchangeable terminals, for every class the names of
 * its members.
 */
interface Names {
  readonly classOf: readonly number[]
  readonly names: readonly (readonly number[])[]
}

interface Naming {
  readonly form: string
  readonly renamed: (tokens: ArrayLike<number>) => Int32Array
}

/** As {@link grammarStructure}; over pairs the tuples (600 + arrangement, A, B, C) and (1, A, x, y). */
function structureOf(shared: Shared) {
  if (!isCrossed(shared)) return grammarStructure(liftedOf(shared).cnf)
  const { nonterminals, terminals, binary, lexical } = pairGrammarOf(shared)
  const order = Object.keys(arrangements)
  return {
    n: nonterminals.length + terminals.length,
    colours: [...nonterminals.map((_, i) => (i === 0 ? 0 : 1)), ...terminals.map(() => 2)],
    tuples: [
      ...binary.map(({ left, first, second, arrangement }) => [600 + order.indexOf(arrangement), left, first, second]),
      ...lexical.map(([left, first, second]) => [1, left, nonterminals.length + first, nonterminals.length + second]),
    ],
  }
}

/** null: the grammar has further symmetries, or its canonical form is too expensive. */
const namingOf = memoize((shared: Shared): Naming | null => {
  const { form, labelling, leaves } = canonical(kind, structureOf(shared))
  if (form === null || labelling === null || leaves > 1) return null
  if (isCrossed(shared)) {
    const { nonterminals, terminals } = pairGrammarOf(shared)
    const names = terminals.map((_, t) => [labelling[nonterminals.length + t] as number])
    return { form, renamed: renamer({ classOf: [...terminals.keys()], names }) }
  }
  const grammar = liftedOf(shared).cnf
  const parents = grammar.terminals.map((): number[] => [])
  for (let at = 0; at < grammar.lexical.length; at += 2)
    parents[grammar.lexical[at + 1] as number]?.push(grammar.lexical[at] as number)
  const classes = new Map<string, number>()
  const names: number[][] = []
  const classOf = parents.map((above, t) => {
    const twins = above.sort((a, b) => a - b).join()
    const known = classes.get(twins) ?? classes.size
    classes.set(twins, known)
    names[known] ??= []
    names[known]?.push(labelling[grammar.nonterminals.length + t] as number)
    return known
  })
  return { form, renamed: renamer({ classOf, names: names.map((list) => list.sort((a, b) => a - b)) }) }
})

/**
 * Equal only for questions that differ by renaming and order of rules: the canonical form of the grammar and the string
 * in canonical names, which interchangeable terminals take in the order of first occurrence. Grammars with other
 * symmetries are canonicalized with the string, at more cost; where even that is too much, the key starts with `coarse`
 * and is only an invariant.
 */
export const questionKey = (question: RelicQuestion): string =>
  stringKey(question.shared, tokensOf(question.shared, question.given.string))

/** {@link questionKey} of a string of terminal numbers; -1 stands for what is no terminal. */
function stringKey(shared: Shared, tokens: readonly number[]): string {
  const own = namingOf(shared)
  if (own === null) return wholeKey(shared, tokens)
  return `${own.form} ${own.renamed(tokens).join(' ')}`
}

/** Distinguishes strings of one grammar up to renaming: shorter than {@link questionKey}, for comparison only. */
export function renamingKey(shared: Shared): (tokens: Int32Array) => string {
  const own = namingOf(shared)
  return own === null ? (tokens) => wholeKey(shared, Array.from(tokens)) : (tokens) => `=${pack(own.renamed(tokens))}`
}

/** Strings in the grammar's canonical names; a token outside the grammar is -1. */
const renamer =
  ({ classOf, names }: Names): Naming['renamed'] =>
  (tokens) => {
    const taken = new Map<number, number>()
    const used = names.map(() => 0)
    return Int32Array.from(tokens, (token) => {
      const group = classOf[token]
      if (group === undefined) return -1
      const name = taken.get(token) ?? names[group]![used[group]!++]!
      taken.set(token, name)
      return name
    })
  }

/** Grammar and string as one structure: the token at place i is a tuple of relation 2 + i. */
function wholeKey(shared: Shared, tokens: readonly number[]): string {
  const { n, colours, tuples } = structureOf(shared)
  const symbols = colours.filter((colour) => colour < 2).length
  const places = tokens.map((token, at) => [2 + at, ...(token < 0 ? [] : [symbols + token])])
  const { invariant, form } = canonical('relic/item', { n, colours, tuples: [...tuples, ...places] })
  return form ?? `coarse ${invariant}`
}
