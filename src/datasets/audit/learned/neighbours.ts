import type { Learner } from '../../../libraries/locality/learner.ts'
import type { Vocabulary } from '../vocabulary.ts'

const neighbours = 5

/** The five nearest training rows by Jaccard similarity of their word sets, found through an index of words. */
export function nearestNeighbours({ words, ids, start }: Vocabulary): Learner {
  const setOf = (row: number): ReadonlySet<number> =>
    new Set(ids.subarray(start[row] as number, start[row + 1] as number))
  return {
    probe: 'learned/nearest-neighbours',
    limits: { train: 400, test: 1200 },
    fit(train, keys) {
      const holders: number[][] = Array.from({ length: words.length }, () => [])
      const sizes = Int32Array.from(train, (row, i) => {
        const set = setOf(row)
        for (const word of set) (holders[word] as number[]).push(i)
        return set.size
      })
      const shared = new Int32Array(train.length)
      return (row, scores) => {
        const own = setOf(row)
        shared.fill(0)
        for (const word of own) for (const i of holders[word] as number[]) shared[i] = (shared[i] as number) + 1
        const near: { similarity: number; key: number }[] = []
        for (let i = 0; i < train.length; i++) {
          const both = shared[i] as number
          const similarity = both / Math.max(1, own.size + (sizes[i] as number) - both)
          if (near.length === neighbours && similarity <= (near[neighbours - 1]?.similarity as number)) continue
          let at = near.length
          while (at > 0 && (near[at - 1]?.similarity as number) < similarity) at--
          near.splice(at, 0, { similarity, key: keys[train[i] as number] as number })
          if (near.length > neighbours) near.pop()
        }
        scores.fill(0)
        for (const { similarity, key } of near)
          scores[key] = (scores[key] as number) + (1 + similarity / 100) / neighbours
      }
    },
  }
}
