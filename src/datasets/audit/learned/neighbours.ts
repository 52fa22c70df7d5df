import type { Vocabulary } from '../vocabulary.ts'
import type { Learner } from './learner.ts'

const neighbours = 5

/** The five nearest training rows by Jaccard similarity of their word sets. */
export function nearestNeighbours({ ids, start }: Vocabulary): Learner {
  const sets = new Map<number, Int32Array>()
  const setOf = (row: number): Int32Array => {
    let found = sets.get(row)
    if (found === undefined) {
      found = Int32Array.from(new Set(ids.subarray(start[row] as number, start[row + 1] as number))).sort()
      sets.set(row, found)
    }
    return found
  }
  return {
    probe: 'learned/nearest-neighbours',
    limits: { train: 400, test: 1200 },
    fit(train, keys, classes) {
      const known = Array.from(train, (row) => ({ set: setOf(row), key: keys[row] as number }))
      return (row, scores) => {
        const own = setOf(row)
        const near: { similarity: number; key: number }[] = []
        for (const { set, key } of known) {
          const similarity = jaccard(own, set)
          if (near.length === neighbours && similarity <= (near[neighbours - 1]?.similarity as number)) continue
          let at = near.length
          while (at > 0 && (near[at - 1]?.similarity as number) < similarity) at--
          near.splice(at, 0, { similarity, key })
          if (near.length > neighbours) near.pop()
        }
        scores.fill(0)
        for (const { similarity, key } of near) scores[key] = (scores[key] as number) + 1 + similarity / 100
        for (let k = 0; k < classes; k++) scores[k] = (scores[k] as number) / neighbours
      }
    },
  }
}

function jaccard(a: Int32Array, b: Int32Array): number {
  let i = 0
  let j = 0
  let both = 0
  while (i < a.length && j < b.length) {
    const x = a[i] as number
    const y = b[j] as number
    if (x === y) {
      both++
      i++
      j++
    } else if (x < y) i++
    else j++
  }
  const union = a.length + b.length - both
  return union === 0 ? 0 : both / union
}
