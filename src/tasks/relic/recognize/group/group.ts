import {
  type EmptyDraw,
  type Features,
  memoize,
  type Problem,
  type RandomStreams,
  rounded,
} from '../../../../core/index.ts'
import { bigramVerdict } from '../../../../libraries/grammars/grammar/adjacency.ts'
import type { Cnf } from '../../../../libraries/grammars/grammar/cnf.ts'
import { grammarStatistics } from '../../../../libraries/grammars/grammar/statistics.ts'
import type { PairItem } from '../../../../libraries/grammars/recognise/pair-chart.ts'
import { derivationHeight } from '../../../../libraries/grammars/recognise/parses.ts'
import { hasLegalNeighbours, isCrossed, pairChartOf, pairGrammarOf } from '../../grammars/crossed.ts'
import { drawGrammar } from '../../grammars/draw.ts'
import { adjacencyOf, analyzerOf, liftedOf, type Shared } from '../../grammars/grammar.ts'
import { logDerivations } from '../../grammars/measure-parses.ts'
import { readOwn } from '../../grammars/own.ts'
import type { Given } from '../../grammars/strings.ts'
import { compressed } from '../../import/compression.ts'
import type { Config } from '../config.ts'
import { candidates, coverageOf, grammarOf, noCandidate, sharedOf } from '../grammars/candidates.ts'
import { isSmall, type Plan, pointOf } from '../grammars/plan.ts'
import { pairSampler } from './length-strings.ts'

/** Maximum grammars tried per group for one whose strings have matched pairs. */
const tries = 60

const noPairs: EmptyDraw = {
  kind: 'unreachable',
  proved: false,
  reason:
    `of ${tries} grammars of these sizes none has twins for a share of its strings: counts of n-grams nearly tell each language; ` +
    'take more nonterminals and binary rules, or twins: none',
}

/**
 * The grammar of group g: the plan's, or one from the group's stream where groups are endless. A grammar with too few
 * matched pairs is replaced by the next of that stream, since its language is nearly strictly local. Selected grammars
 * are replaced by ones of similar size.
 */
export function group(config: Config, plan: Plan, g: number, draws: RandomStreams): Shared | EmptyDraw {
  if (config.grammar !== null) return readOwn(config.grammar)
  if (config.dial !== null)
    return drawGrammar(
      { ...config, ...config.dial, perGrammar: config.perCell },
      draws,
      (shared) => pairSampler(config, shared)?.plentiful !== false,
    )
  let tried = 0
  for (const shared of grammarsFor(config, plan, g, draws)) {
    if (pairSampler(config, shared)?.plentiful !== false) return shared
    if (++tried === tries) return noPairs
  }
  return { kind: 'unreachable', proved: false, reason: noCandidate }
}

function* grammarsFor(config: Config, plan: Plan, g: number, draws: RandomStreams): Generator<Shared> {
  const planned = plan === null ? null : plannedGrammar(config, plan.grammars[g] as string)
  if (planned !== null) yield sharedOf(planned)
  const small = planned === null || config.selection === 'none' ? null : isSmall(pointOf(planned))
  for (const { grammar } of candidates(config, draws.stream('grammar'), draws))
    if (small === null || isSmall(pointOf(grammar)) === small) yield sharedOf(grammar)
}

function plannedGrammar(config: Config, key: string): Cnf {
  const grammar = grammarOf(config, key)
  if (grammar === null) throw new Error(`the plan's grammar key ${key} gives an empty language`)
  return grammar
}

const statisticsOf = memoize((shared: Shared) => {
  if (!isCrossed(shared)) return grammarStatistics(liftedOf(shared).cnf)
  const { nonterminals, terminals, lexical, binary } = pairGrammarOf(shared)
  return {
    terminals: terminals.length,
    nonterminals: nonterminals.length,
    lexical: lexical.length,
    nonlexical: binary.length,
  }
})

const coverages = memoize((_shared: Shared) => new Map<string, number>())

/**
 * The features of one string. `kind`: how a negative was made; `order`: n of equal n-gram counts with its pair. A
 * positive that the grammar does not derive (a mislabelled import) has no parses and no depth.
 */
export function describeString(
  shared: Shared,
  tokens: ArrayLike<number>,
  label: boolean,
  kind: string | null,
  lengths: Pick<Config, 'minLength' | 'maxLength'>,
  order: number | null = null,
) {
  const coverage = coverages(shared)
  const range = `${lengths.minLength} ${lengths.maxLength}`
  let share = coverage.get(range)
  if (share === undefined) {
    share = rounded(coverageOf(liftedOf(shared).cnf, lengths))
    coverage.set(range, share)
  }
  const depth = label ? depthOf(shared, tokens) : null
  return {
    length: tokens.length,
    label,
    ...statisticsOf(shared),
    coverage: share,
    bigramLegal: isBigramLegal(shared, tokens),
    kind,
    order,
    parses: depth === null ? null : logDerivations(shared, tokens),
    depth,
  }
}

/** Height of the first derivation; null outside the language. */
function depthOf(shared: Shared, tokens: ArrayLike<number>): number | null {
  if (!isCrossed(shared)) {
    const derivation = analyzerOf(shared).derivation(tokens)
    return derivation === null ? null : derivationHeight(liftedOf(shared).cnf, derivation)
  }
  const { goal } = pairChartOf(shared, tokens)
  const heightOf = ({ ways: [way] }: PairItem): number =>
    way === undefined ? 2 : 1 + Math.max(heightOf(way.first), heightOf(way.second))
  return goal === undefined ? null : heightOf(goal)
}

/** Can the first token begin, the last end, and each pair of neighbours occur in some string of the language? */
export const isBigramLegal = (shared: Shared, tokens: ArrayLike<number>): boolean =>
  isCrossed(shared) ? hasLegalNeighbours(shared, tokens) : bigramVerdict(adjacencyOf(shared), tokens).kind === 'legal'

/** How well the positives of a grammar compress, in the order in which a release has them: by length. */
export async function groupFacts(problems: readonly Problem<Shared, Given, boolean>[]): Promise<Features> {
  const positives = problems
    .filter(({ answer }) => answer)
    .map(({ given: { string } }) => ({ string, length: string.split(' ').length }))
    .sort((a, b) => a.length - b.length)
  return { compression: (await compressed(positives.map(({ string }) => string)))?.ratio ?? null }
}
