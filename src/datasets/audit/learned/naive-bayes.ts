import type { Vocabulary } from '../vocabulary.ts'
import type { Learner } from './learner.ts'

const smoothing = 0.5

/** Which numbers (below `size`) a row holds, with repeats. */
type Events = (row: number) => Iterable<number>

function naiveBayes(probe: string, size: number, events: Events): Learner {
  return {
    probe,
    fit(train, keys, classes) {
      const counts = Array.from({ length: classes }, () => new Float64Array(size))
      const totals = new Float64Array(classes)
      for (const row of train) {
        const key = keys[row] as number
        const own = counts[key] as Float64Array
        for (const event of events(row)) {
          own[event] = (own[event] as number) + 1
          totals[key] = (totals[key] as number) + 1
        }
      }
      const logs = counts.map((own, k) =>
        own.map((c) => Math.log((c + smoothing) / ((totals[k] as number) + smoothing * size))),
      )
      return (row, scores) => {
        scores.fill(0)
        for (const event of events(row))
          for (let k = 0; k < classes; k++)
            scores[k] = (scores[k] as number) + ((logs[k] as Float64Array)[event] as number)
      }
    },
  }
}

const buckets = 65536

/** Naive Bayes on words, on sets of words and on hashed pairs of neighbours. */
export function naiveBayesLearners({ words, ids, start }: Vocabulary): Learner[] {
  const slice = (row: number) => ids.subarray(start[row] as number, start[row + 1] as number)
  function* bigrams(row: number): Generator<number> {
    const list = slice(row)
    for (let i = 1; i < list.length; i++)
      yield (Math.imul((list[i - 1] as number) + 1, 0x9e3779b1) ^ Math.imul((list[i] as number) + 1, 0x85ebca6b)) >>> 16
  }
  const size = Math.max(1, words.length)
  return [
    naiveBayes('learned/naive-bayes-words', size, slice),
    naiveBayes('learned/naive-bayes-word-sets', size, (row) => new Set(slice(row))),
    naiveBayes('learned/naive-bayes-bigrams', buckets, bigrams),
  ]
}
