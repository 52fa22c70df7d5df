import { memoize, rounded } from '../../../../core/index.ts'
import { bigramVerdict } from '../../../../libraries/grammars/grammar/adjacency.ts'
import { derivationHeight } from '../../../../libraries/grammars/recognise/parses.ts'
import { adjacencyOf, analyzerOf, compiled, statisticsOf } from '../compiled.ts'
import type { Config } from '../config.ts'
import { coverageOf } from '../grammars/candidates.ts'
import type { Shared } from '../prompt.ts'
import { log10 } from './measure-parses.ts'

const coverages = memoize((_shared: Shared) => new Map<string, number>())

/**
 * The features of one string. `kind` says how a negative was made, `order` which n-gram counts its twin shares. A positive that the grammar does not derive (a
 * mislabelled import) has no parses and no depth.
 */
export function describeString(
  shared: Shared,
  tokens: ArrayLike<number>,
  label: boolean,
  kind: string | null,
  lengths: Pick<Config, 'minLength' | 'maxLength'>,
  order: number | null = null,
) {
  const grammar = compiled(shared)
  const analyzer = analyzerOf(shared)
  const coverage = coverages(shared)
  const range = `${lengths.minLength} ${lengths.maxLength}`
  let share = coverage.get(range)
  if (share === undefined) {
    share = rounded(coverageOf(grammar, lengths))
    coverage.set(range, share)
  }
  const derivation = label ? analyzer.derivation(tokens) : null
  return {
    length: tokens.length,
    label,
    ...statisticsOf(shared),
    coverage: share,
    bigramLegal: bigramVerdict(adjacencyOf(shared), tokens).kind === 'legal',
    kind,
    order,
    parses: derivation === null ? null : rounded(log10(analyzer.count(tokens))),
    depth: derivation === null ? null : derivationHeight(grammar, derivation),
  }
}
