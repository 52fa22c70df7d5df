import { type Column, column, type Estimate, shuffle } from '../../../core/index.ts'
import {
  analysisStream,
  auc,
  aucEstimate,
  aucStandardError,
  mean,
  normalQuantile,
  wilson,
} from '../../../libraries/statistics/index.ts'
import { type Context, lossOf, type ScoredString } from './contexts.ts'

/** Which strings outside count against those inside. */
export type Outside = (string: ScoredString) => boolean
type Loss = (string: ScoredString) => number
/** Strings at this distance. */
export const atDistance =
  (distance: string): Outside =>
  (string) =>
    string.distance === distance

/** Scores of strings, and whether each is in the language: the input of one AUC. */
export interface Labelled {
  readonly scores: readonly number[]
  readonly positive: readonly boolean[]
}

/** The AUC by loss: a lower loss counts as more likely in the language. See {@link averageAuc}. */
export const meanAuc = (contexts: readonly Context[], outside: Outside, loss: Loss = lossOf): Estimate | null =>
  averageAuc(labelled(contexts, outside, loss))

/** Each repetition's strings of the language and strings outside, scored by minus their loss. */
export const labelled = (contexts: readonly Context[], outside: Outside, loss: Loss = lossOf): readonly Labelled[] =>
  contexts.map(({ strings }) => {
    const used = strings.filter((string) => string.distance === '0' || outside(string))
    return {
      scores: used.map((string) => -loss(string)),
      positive: used.map((string) => string.distance === '0'),
    }
  })

/**
 * The mean of the repetitions' AUCs, as in the paper: losses of different example lists are never ranked together.
 * Interval: DeLong's variances of the repetitions, summed over their number squared, on the logit scale; for perfect
 * separation in every repetition Wilson's on the smaller class of all of them.
 */
export function averageAuc(repetitions: readonly Labelled[]): Estimate | null {
  const parts = repetitions.filter(({ positive }) => positive.includes(true) && positive.includes(false))
  const [first] = parts
  if (first === undefined) return null
  if (parts.length === 1) return aucEstimate(first.scores, first.positive)
  const value = mean(parts.map(({ scores, positive }) => auc(scores, positive) as number))
  const errors = parts.map(({ scores, positive }) => aucStandardError(scores, positive) ?? Number.NaN)
  const variance = errors.reduce((sum, se) => sum + se * se, 0) / (parts.length * parts.length)
  const n = parts.reduce((sum, { scores }) => sum + scores.length, 0)
  if (value === 0 || value === 1) {
    // Perfect separation in every repetition: so is one AUC over ranks within repetitions.
    const positive = parts.flatMap((part) => part.positive)
    return aucEstimate(
      positive.map((inside) => (inside === (value === 1) ? 1 : 0)),
      positive,
    )
  }
  if (!(variance >= 0)) return null
  return onLogit(value, Math.sqrt(variance), n, `mean of ${parts.length} repetitions, DeLong 95 %, logit`)
}

function onLogit(value: number, standardError: number, n: number, method: string): Estimate {
  const half = (normalQuantile(0.975) * standardError) / (value * (1 - value))
  const logit = Math.log(value / (1 - value))
  const back = (x: number) => 1 / (1 + Math.exp(-x))
  return { value, low: back(logit - half), high: back(logit + half), n, method }
}

/** The losses of one repetition's strings of one length, inside the language and outside. */
type Stratum = { readonly [side in 'inside' | 'outside']: readonly number[] }

/**
 * The length-matched AUC: over all pairs of a string of the language and one outside *of equal length and the same
 * repetition*, the share in which the former has less loss, ties counting one half. The length itself has one half.
 * Interval: the variance of the ratio by its pairs' marginal terms (DeLong's, over
 * strata), on the logit scale; Wilson's on the smaller class for perfect separation. null without pairs.
 */
export function matchedAuc(contexts: readonly Context[], outside: Outside, loss: Loss = lossOf) {
  const strata = contexts.flatMap(({ strings }) => strataOf(strings, outside, loss))
  const pairs = strata.reduce((sum, s) => sum + s.inside.length * s.outside.length, 0)
  return { matched: pairs === 0 ? null : matchedEstimate(strata, pairs), pairs }
}

function matchedEstimate(strata: readonly Stratum[], pairs: number): Estimate {
  const terms = strata.map(winsOf)
  const value = terms.reduce((sum, { inside }) => sum + inside.reduce((a, b) => a + b, 0), 0) / pairs
  const count = (side: keyof Stratum) => strata.reduce((sum, s) => sum + s[side].length, 0)
  const n = count('inside') + count('outside')
  if (value === 0 || value === 1) {
    const few = Math.min(count('inside'), count('outside'))
    const bounds = wilson(value * few, few) as Estimate
    return { ...bounds, n, method: `${bounds.method} on the smaller class (perfect separation)` }
  }
  const squares = (side: keyof Stratum, other: keyof Stratum) => {
    const all = strata.flatMap((s, i) => (terms[i] as Stratum)[side].map((wins) => wins - value * s[other].length))
    return all.length < 2 ? 0 : (all.reduce((sum, x) => sum + x * x, 0) * all.length) / (all.length - 1)
  }
  const standardError = Math.sqrt(squares('inside', 'outside') + squares('outside', 'inside')) / pairs
  return onLogit(value, standardError, n, 'pairs of equal length, DeLong over strata 95 %, logit')
}

function strataOf(strings: readonly ScoredString[], outside: Outside, loss: Loss): Stratum[] {
  const byLength = Map.groupBy(
    strings.filter((s) => s.distance === '0' || outside(s)),
    ({ length }) => length,
  )
  return [...byLength.values()]
    .map((list) => ({
      inside: list.filter((s) => s.distance === '0').map(loss),
      outside: list.filter((s) => s.distance !== '0').map(loss),
    }))
    .filter(({ inside, outside: others }) => inside.length > 0 && others.length > 0)
}

/** For each string the number of its pairs that are ranked correctly. */
const winsOf = ({ inside, outside }: Stratum): Stratum => {
  const wins = (a: number, b: number) => (a < b ? 1 : a === b ? 0.5 : 0)
  return {
    inside: inside.map((a) => outside.reduce((sum, b) => sum + wins(a, b), 0)),
    outside: outside.map((b) => inside.reduce((sum, a) => sum + wins(a, b), 0)),
  }
}

/** Halves that are drawn of the strings, and their shared stream. */
const HALVES = 200

/**
 * The AUC as the released code computes it, in closed form: a logistic regression of one feature decides nothing but the
 * direction, by the means of one half of the strings, and the other half has A or 1 - A. The mean over seeded halves and
 * repetitions, and the standard deviation that a single halving has.
 */
export function releasedAuc(
  repetitions: readonly Labelled[],
): { readonly released: number; readonly releasedSd: number } | null {
  const stream = analysisStream(5, 'proficiency/released')
  const byRepetition = repetitions
    .map(({ scores, positive }) => [true, false].map((side) => scores.filter((_, i) => positive[i] === side)))
    .filter((sides) => sides.every(({ length }) => length > 1))
  if (byRepetition.length === 0) return null
  const values = byRepetition.map((sides) =>
    Array.from({ length: HALVES }, () => {
      const halves = sides.map((list) => {
        const mixed = shuffle(stream, list)
        return { train: mixed.slice(mixed.length >> 1), test: mixed.slice(0, mixed.length >> 1) }
      })
      const [inside, outside] = halves as [(typeof halves)[number], (typeof halves)[number]]
      const tested = auc(
        [...inside.test, ...outside.test],
        [...inside.test.map(() => true), ...outside.test.map(() => false)],
      ) as number
      return mean(inside.train) >= mean(outside.train) ? tested : 1 - tested
    }),
  )
  const means = values.map(mean)
  const variance = mean(values.map((own, i) => mean(own.map((value) => (value - (means[i] as number)) ** 2))))
  return { released: mean(means), releasedSd: Math.sqrt(variance) }
}

/** Length-matched and plain AUC of the strings outside, with the number of pairs of equal length. */
export const aucCells = (contexts: readonly Context[], outside: Outside) => ({
  ...matchedAuc(contexts, outside),
  auc: meanAuc(contexts, outside),
})

/** {@link releasedAuc} of the strings outside. */
export const releasedCells = (contexts: readonly Context[], outside: Outside) =>
  releasedAuc(labelled(contexts, outside)) ?? { released: null, releasedSd: null }

export const RELEASED_COLUMNS: readonly Column[] = [
  column.number('released', 'AUC as released', 'share'),
  column.number('releasedSd', 'SD over halvings', 'share'),
]

/** The columns of {@link aucCells}. */
export const AUC_COLUMNS: readonly Column[] = [
  column.estimate('matched', 'Length-matched AUC', 'share'),
  column.number('pairs', 'Pairs of equal length'),
  column.estimate('auc', 'Plain AUC', 'share'),
]

/** A curve's length-matched AUCs at a distance, by number of strings, where there are pairs. */
export const aucsOf = (byK: ReadonlyMap<number, readonly Context[]>, distance: string) =>
  [...byK].flatMap(([k, contexts]) => {
    const { matched: auc } = matchedAuc(contexts, atDistance(distance))
    return auc === null ? [] : [{ k, auc }]
  })
