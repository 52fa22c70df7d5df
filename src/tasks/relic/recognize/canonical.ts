import { remember } from '../../../core/index.ts'
import type { Cnf } from '../../../formal/grammar.ts'
import { grammarStructure } from '../../../formal/structure.ts'
import { canonical, canonicalInvariant } from '../../../graphs/canonical.ts'
import { compiled } from './grammars.ts'
import { tokensOf } from './heuristics.ts'
import type { RelicQuestion, Shared } from './prompt.ts'

const kind = 'relic/grammar'

/** Equal for grammars that differ by names and order of rules only: 32 hex digits (integrity 5.2, `relic/grammar`). */
export const grammarKey = (grammar: Cnf): string => canonicalInvariant(kind, grammarStructure(grammar))

const labelled = remember((shared: Shared) => {
  const grammar = compiled(shared)
  const { invariant, form, labelling } = canonical(kind, grammarStructure(grammar))
  return { key: form ?? `coarse ${invariant}`, labelling, nonterminals: grammar.nonterminals.length }
})

/**
 * Equal for questions that differ by renaming only: the grammar's form and the string in the canonical names of its
 * terminals. Terminals that a renaming may swap are numbered by first occurrence, which the labelling's order does not
 * tell; for them two keys may differ though the questions do not.
 */
export function questionKey(question: RelicQuestion): string {
  const { key, labelling, nonterminals } = labelled(question.shared)
  const string = tokensOf(question).map((t) => labelling?.[nonterminals + t] ?? t)
  return `${key} ${string.join(' ')}`
}
