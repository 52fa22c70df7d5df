import type { Learner } from '../../../libraries/locality/learner.ts'
import type { Vocabulary } from '../vocabulary.ts'

const smoothing = 0.5

/** Numbers below `size` a row holds, with repeats: row i has `events[start[i] .. start[i + 1]]`. */
export interface Events {
  readonly size: number
  readonly events: Int32Array
  readonly start: Int32Array
}

export function naiveBayes(probe: string, { size, events, start }: Events): Learner {
  return {
    probe,
    fit(train, keys, classes) {
      const counts = Array.from({ length: classes }, () => new Float64Array(size))
      const totals = new Float64Array(classes)
      for (const row of train) {
        const key = keys[row] as number
        const own = counts[key] as Float64Array
        for (let at = start[row] as number; at < (start[row + 1] as number); at++) {
          const event = events[at] as number
          own[event] = (own[event] as number) + 1
        }
        totals[key] = (totals[key] as number) + (start[row + 1] as number) - (start[row] as number)
      }
      const logs = counts.map((own, k) => {
        const total = (totals[k] as number) + smoothing * size
        const unseen = Math.log(smoothing / total)
        return own.map((count) => (count === 0 ? unseen : Math.log((count + smoothing) / total)))
      })
      return (row, scores) => {
        for (let k = 0; k < classes; k++) {
          const log = logs[k] as Float64Array
          let sum = 0
          for (let at = start[row] as number; at < (start[row + 1] as number); at++)
            sum += log[events[at] as number] as number
          scores[k] = sum
        }
      }
    },
  }
}

/** Events from a list a row. */
export function eventsOf(size: number, lists: readonly (readonly number[])[]): Events {
  const start = new Int32Array(lists.length + 1)
  for (const [row, list] of lists.entries()) start[row + 1] = (start[row] as number) + list.length
  return { size, events: Int32Array.from(lists.flat()), start }
}

const buckets = 65536

/** Naive Bayes on words, on sets of words and on hashed pairs of neighbours. */
export function naiveBayesLearners({ words, ids, start }: Vocabulary): Learner[] {
  const derived = (size: number, of: (list: Int32Array) => Iterable<number>): Events =>
    eventsOf(
      size,
      Array.from({ length: start.length - 1 }, (_, row) => [...of(ids.subarray(start[row], start[row + 1]))]),
    )
  const size = Math.max(1, words.length)
  return [
    naiveBayes('learned/naive-bayes-words', { size, events: ids, start }),
    naiveBayes(
      'learned/naive-bayes-word-sets',
      derived(size, (list) => new Set(list)),
    ),
    naiveBayes('learned/naive-bayes-bigrams', derived(buckets, bigrams)),
  ]
}

function bigrams(list: Int32Array): number[] {
  const found: number[] = []
  for (let i = 1; i < list.length; i++)
    found.push(
      (Math.imul((list[i - 1] as number) + 1, 0x9e3779b1) ^ Math.imul((list[i] as number) + 1, 0x85ebca6b)) >>> 16,
    )
  return found
}
