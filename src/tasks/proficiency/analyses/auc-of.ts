import type { Column, Estimate } from '../../../core/index.ts'
import { auc, aucEstimate, aucStandardError, mean, normalQuantile } from '../../../libraries/statistics/index.ts'
import { type Context, estimate, lossOf, number, type ScoredString } from './contexts.ts'
import { matchedAuc, matchedCells } from './matched.ts'

/** Which strings outside count against those inside. */
export type Outside = (string: ScoredString) => boolean
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
export function meanAuc(
  contexts: readonly Context[],
  outside: Outside,
  loss: (string: ScoredString) => number = lossOf,
): Estimate | null {
  return averageAuc(labelled(contexts, outside, loss))
}

/** Each repetition's strings of the language and strings outside, scored by minus their loss. */
export const labelled = (
  contexts: readonly Context[],
  outside: Outside,
  loss: (string: ScoredString) => number = lossOf,
): readonly Labelled[] =>
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
  const parts = repetitions.filter(({ positive }) => bothSides(positive))
  const [first] = parts
  if (first === undefined) return null
  if (parts.length === 1) return aucEstimate(first.scores, first.positive)
  const values = parts.map(({ scores, positive }) => auc(scores, positive) as number)
  const value = mean(values)
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
  const logit = Math.log(value / (1 - value))
  const half = (normalQuantile(0.975) * Math.sqrt(variance)) / (value * (1 - value))
  const back = (x: number) => 1 / (1 + Math.exp(-x))
  return {
    value,
    low: back(logit - half),
    high: back(logit + half),
    n,
    method: `mean of ${parts.length} repetitions, DeLong 95 %, logit`,
  }
}

const bothSides = (positive: readonly boolean[]): boolean => positive.includes(true) && positive.includes(false)

/** Length-matched and plain AUC of the strings outside, with the number of pairs of equal length. */
export const aucCells = (contexts: readonly Context[], outside: Outside) => ({
  ...matchedCells(matchedAuc(contexts, outside, (string) => -lossOf(string))),
  auc: meanAuc(contexts, outside),
})

/** The columns of {@link aucCells}. */
export const AUC_COLUMNS: readonly Column[] = [
  estimate('matched', 'Length-matched AUC', 'share'),
  number('pairs', 'Pairs of equal length'),
  estimate('auc', 'Plain AUC', 'share'),
]
