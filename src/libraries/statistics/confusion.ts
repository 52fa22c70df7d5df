import { mean, meanOrNull } from './moments.ts'
/** Counts of (truth, predicted) pairs. Some labels may only ever be predicted, such as `unparsed`. */
export interface Confusion {
  readonly labels: readonly string[]
  /** counts[truth][predicted] */
  readonly counts: readonly (readonly number[])[]
  readonly n: number
}

/**
 * Labels in the order given first, others as they appear.
 *
 * @example
 * import { confusion } from '@touchstone-eval/touchstone/statistics'
 *
 * const matrix = confusion(['yes', 'yes', 'no', 'no'], ['yes', 'no', 'no', 'no'])
 * console.log(matrix.labels, matrix.counts) // [ 'yes', 'no' ] [ [ 1, 1 ], [ 0, 2 ] ]
 */
export function confusion(
  truth: readonly string[],
  predicted: readonly string[],
  order: readonly string[] = [],
): Confusion {
  if (truth.length !== predicted.length) {
    throw new RangeError(`a confusion matrix needs pairs, got ${truth.length} and ${predicted.length} labels`)
  }
  const labels = [...new Set([...order, ...truth, ...predicted])]
  const index = new Map(labels.map((label, i) => [label, i]))
  const counts = labels.map(() => labels.map(() => 0))
  for (let i = 0; i < truth.length; i++) {
    const row = counts[index.get(truth[i] as string) as number] as number[]
    const at = index.get(predicted[i] as string) as number
    row[at] = (row[at] as number) + 1
  }
  return { labels, counts, n: truth.length }
}

/** How one label fared: counts, and shares in 0..1. */
export interface ClassRates {
  readonly label: string
  readonly truths: number
  readonly predictions: number
  readonly hits: number
  /** Hits over predictions; null where the label was never predicted. */
  readonly precision: number | null
  /** Hits over truths, the true-positive rate; null where the label is never true. */
  readonly recall: number | null
  /** Predicted although not true, over all that are not; null where everything is. */
  readonly falsePositiveRate: number | null
  /** 2 hits / (truths + predictions); 0 where there are no hits (and where the label never occurs). */
  readonly f1: number
}

/**
 * @example
 * import { classRates, confusion } from '@touchstone-eval/touchstone/statistics'
 *
 * const matrix = confusion(['yes', 'yes', 'no', 'no'], ['yes', 'no', 'no', 'no'])
 * console.log(classRates(matrix).map(({ label, recall }) => `${label} ${recall}`)) // [ 'yes 0.5', 'no 1' ]
 */
export function classRates({ labels, counts, n }: Confusion): readonly ClassRates[] {
  return labels.map((label, k) => {
    const truths = (counts[k] as readonly number[]).reduce((sum, x) => sum + x, 0)
    const predictions = counts.reduce((sum, row) => sum + (row[k] as number), 0)
    const hits = (counts[k] as readonly number[])[k] as number
    return {
      label,
      truths,
      predictions,
      hits,
      precision: predictions > 0 ? hits / predictions : null,
      recall: truths > 0 ? hits / truths : null,
      falsePositiveRate: n > truths ? (predictions - hits) / (n - truths) : null,
      f1: hits > 0 ? (2 * hits) / (truths + predictions) : 0,
    }
  })
}

/**
 * Macro F1: the plain mean of per-class F1. Over `classes` where given (two-class: an answer outside them is wrong
 * but no class of its own); else over every label that is true or predicted somewhere, as scikit-learn's
 * `f1_score(average="macro")` does, so that one unreadable answer adds a class with F1 = 0 (the published RELIC scores). null for no rows.
 *
 * @example
 * import { confusion, macroF1 } from '@touchstone-eval/touchstone/statistics'
 *
 * const matrix = confusion(['yes', 'yes', 'no', 'no'], ['yes', 'no', 'no', 'no'])
 * console.log(macroF1(matrix)?.toFixed(4)) // 0.7333
 */
export function macroF1(matrix: Confusion, classes?: readonly string[]): number | null {
  if (matrix.n === 0) return null
  const rates = classRates(matrix)
  const used =
    classes === undefined
      ? rates.filter((rate) => rate.truths + rate.predictions > 0).map((rate) => rate.f1)
      : classes.map((label) => rates.find((rate) => rate.label === label)?.f1 ?? 0)
  return mean(used)
}

/**
 * Mean recall over the labels that are true somewhere (class-balanced accuracy); null for no rows.
 *
 * @example
 * import { balancedAccuracy, confusion } from '@touchstone-eval/touchstone/statistics'
 *
 * const matrix = confusion(['yes', 'yes', 'no', 'no'], ['yes', 'no', 'no', 'no'])
 * console.log(balancedAccuracy(matrix)) // 0.75
 */
export function balancedAccuracy(matrix: Confusion): number | null {
  const recalls = classRates(matrix).flatMap(({ recall }) => (recall === null ? [] : [recall]))
  return meanOrNull(recalls)
}
