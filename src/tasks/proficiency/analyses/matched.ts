import type { Estimate } from '../../../core/index.ts'
import { normalQuantile, wilson } from '../../../libraries/statistics/index.ts'
import type { Outside } from './auc-of.ts'
import type { Context, ScoredString } from './contexts.ts'

/** The scores of one repetition's strings of one length, inside the language and outside (higher: more likely inside). */
interface Stratum {
  readonly inside: readonly number[]
  readonly outside: readonly number[]
}

/** `no-pairs`: no string outside has the length of one inside. */
type MatchedAuc =
  | { readonly kind: 'auc'; readonly estimate: Estimate; readonly pairs: number }
  | { readonly kind: 'no-pairs' }

/**
 * The length-matched AUC: over all pairs of a string of the language and one outside *of equal length and the same
 * repetition*, the share in which the former scores higher, ties counting one half. The length itself has one half.
 * Interval: the variance of the ratio by its pairs' marginal terms (DeLong's, over
 * strata), on the logit scale; Wilson's on the smaller class for perfect separation.
 */
export function matchedAuc(
  contexts: readonly Context[],
  outside: Outside,
  scoreOf: (string: ScoredString) => number,
): MatchedAuc {
  const strata = contexts.flatMap(({ strings }) => strataOf(strings, outside, scoreOf))
  const pairs = strata.reduce((sum, s) => sum + s.inside.length * s.outside.length, 0)
  if (pairs === 0) return { kind: 'no-pairs' }
  return { kind: 'auc', estimate: estimateOf(strata, pairs), pairs }
}

function estimateOf(strata: readonly Stratum[], pairs: number): Estimate {
  const terms = strata.map(winsOf)
  const value = terms.reduce((sum, { inside }) => sum + inside.reduce((a, b) => a + b, 0), 0) / pairs
  const count = (side: 'inside' | 'outside') => strata.reduce((sum, s) => sum + s[side].length, 0)
  const n = count('inside') + count('outside')
  if (value === 0 || value === 1) {
    const few = Math.min(count('inside'), count('outside'))
    const bounds = wilson(value * few, few)
    if (bounds === null) throw new RangeError('pairs without strings')
    return { ...bounds, n, method: `${bounds.method} on the smaller class (perfect separation)` }
  }
  const squares = (side: 'inside' | 'outside', other: 'inside' | 'outside') => {
    const all = strata.flatMap((s, i) => (terms[i] as Stratum)[side].map((wins) => wins - value * s[other].length))
    return all.length < 2 ? 0 : (all.reduce((sum, x) => sum + x * x, 0) * all.length) / (all.length - 1)
  }
  const se = Math.sqrt(squares('inside', 'outside') + squares('outside', 'inside')) / pairs
  const half = (normalQuantile(0.975) * se) / (value * (1 - value))
  const logit = Math.log(value / (1 - value))
  const back = (x: number) => 1 / (1 + Math.exp(-x))
  return {
    value,
    low: back(logit - half),
    high: back(logit + half),
    n,
    method: 'pairs of equal length, DeLong over strata 95 %, logit',
  }
}

/** The estimate, and the number of pairs of equal length. */
export const matchedCells = (found: MatchedAuc): { readonly matched: Estimate | null; readonly pairs: number } =>
  found.kind === 'auc' ? { matched: found.estimate, pairs: found.pairs } : { matched: null, pairs: 0 }

function strataOf(
  strings: readonly ScoredString[],
  outside: Outside,
  scoreOf: (string: ScoredString) => number,
): Stratum[] {
  const byLength = Map.groupBy(
    strings.filter((s) => s.distance === '0' || outside(s)),
    ({ length }) => length,
  )
  return [...byLength.values()]
    .map((list) => ({
      inside: list.filter((s) => s.distance === '0').map(scoreOf),
      outside: list.filter((s) => s.distance !== '0').map(scoreOf),
    }))
    .filter(({ inside, outside: others }) => inside.length > 0 && others.length > 0)
}

/** For each string the number of its pairs that are ranked correctly. */
const winsOf = ({ inside, outside }: Stratum): Stratum => {
  const wins = (a: number, b: number) => (a > b ? 1 : a === b ? 0.5 : 0)
  return {
    inside: inside.map((a) => outside.reduce((sum, b) => sum + wins(a, b), 0)),
    outside: outside.map((b) => inside.reduce((sum, a) => sum + wins(a, b), 0)),
  }
}
