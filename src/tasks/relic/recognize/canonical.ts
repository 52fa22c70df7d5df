import type { Cnf } from '../../../formal/grammar.ts'
import { grammarStructure } from '../../../formal/structure.ts'
import { canonicalInvariant } from '../../../graphs/canonical.ts'

/** Equal for grammars that differ by names and order of rules only: 32 hex digits (integrity 5.2, `relic/grammar`). */
export const grammarKey = (grammar: Cnf): string => canonicalInvariant('relic/grammar', grammarStructure(grammar))
