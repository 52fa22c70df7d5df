import { memoize } from '../../../../core/index.ts'
import type { Cnf } from '../../../../libraries/grammars/grammar/cnf.ts'
import { grammarStructure } from '../../../../libraries/grammars/grammar/statistics.ts'
import { pack } from '../../../../libraries/grammars/sample/distinct.ts'
import { canonical, canonicalInvariant } from '../../../../libraries/graphs/canonical.ts'
import { liftedOf, type Shared, tokensOf } from '../../grammars/grammar.ts'
import type { RelicQuestion } from '../prompt.ts'

const kind = 'relic/grammar'

/** Equal for grammars that differ by names and order of rules only: 32 hex digits. */
export const grammarKey = (grammar: Cnf): string => canonicalInvariant(kind, grammarStructure(grammar))

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

/** null: the grammar has further symmetries, or its canonical form is too expensive. */
const namingOf = memoize((shared: Shared): Naming | null => {
  const grammar = liftedOf(shared).cnf
  const { form, labelling, leaves } = canonical(kind, grammarStructure(grammar))
  if (form === null || labelling === null || leaves > 1) return null
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
  if (own === null) return wholeKey(liftedOf(shared).cnf, tokens)
  return `${own.form} ${own.renamed(tokens).join(' ')}`
}

/** Distinguishes strings of one grammar up to renaming: shorter than {@link questionKey}, for comparison only. */
export function renamingKey(shared: Shared): (tokens: Int32Array) => string {
  const own = namingOf(shared)
  return own === null
    ? (tokens) => wholeKey(liftedOf(shared).cnf, Array.from(tokens))
    : (tokens) => `=${pack(own.renamed(tokens))}`
}

/**
 * Strings in the grammar's canonical names; a token that is none of the grammar's has no name to lose, and stays -1. The
 * names taken are kept from string to string, to be given back: a grammar has more than a string takes.
 */
function renamer({ classOf, names }: Names): Naming['renamed'] {
  const taken = new Int32Array(classOf.length).fill(-1)
  const used = new Int32Array(names.length)
  return (tokens) => {
    const out = new Int32Array(tokens.length)
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at]!
      const group = classOf[token]
      if (group !== undefined && taken[token] === -1) taken[token] = names[group]![used[group]!++]!
      out[at] = group === undefined ? -1 : taken[token]!
    }
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at]!
      const group = classOf[token]
      if (group === undefined) continue
      taken[token] = -1
      used[group] = 0
    }
    return out
  }
}

/** Grammar and string as one structure: the token at place i is a tuple of relation 2 + i. */
function wholeKey(grammar: Cnf, tokens: readonly number[]): string {
  const { n, colours, tuples } = grammarStructure(grammar)
  const places = tokens.map((token, at) => [2 + at, ...(token < 0 ? [] : [grammar.nonterminals.length + token])])
  const { invariant, form } = canonical('relic/item', { n, colours, tuples: [...tuples, ...places] })
  return form ?? `coarse ${invariant}`
}
