import { type Column, column, type Estimate, shuffle } from '../../../core/index.ts'
import {
  analysisStream,
  auc,
  aucEstimate,
  aucStandardError,
  mean,
  normalQuantile,
} from '../../../libraries/statistics/index.ts'
import { type Context, lossOf, type ScoredString } from './contexts.ts'
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

const bothSides = (positive: readonly boolean[]): boolean => positive.includes(true) && positive.includes(false)

/** Length-matched and plain AUC of the strings outside, with the number of pairs of equal length. */
export const aucCells = (contexts: readonly Context[], outside: Outside) => ({
  ...matchedCells(matchedAuc(contexts, outside, (string) => -lossOf(string))),
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
