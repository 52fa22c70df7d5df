import type { Vocabulary } from '../vocabulary.ts'
import type { Learner } from './learner.ts'

const depth = 4
const longestText = 200

/**
 * Cross-parsing length (Ziv and Merhav 1993) against the text of each class: into how few pieces that occurred there, of
 * at most four words, does a text fall? It stands in for a compressor, and needs none.
 */
export function crossParsing({ ids, start }: Vocabulary): Learner {
  const hashes = (at: number, end: number, out: Int32Array): number => {
    let h = 0x811c9dc5
    let n = 0
    for (; n < depth && at + n < end; n++) {
      h = Math.imul(h ^ (ids[at + n] as number), 0x01000193) ^ (n + 1)
      h ^= h >>> 15
      out[n] = h
    }
    return n
  }
  const spanOf = (row: number): readonly [number, number] => {
    const from = start[row] as number
    return [from, Math.min(start[row + 1] as number, from + longestText)]
  }
  return {
    probe: 'learned/cross-parsing',
    limits: { train: 4000, test: Number.POSITIVE_INFINITY },
    fit(train, keys, classes) {
      const known = Array.from({ length: classes }, () => new Set<number>())
      const buffer = new Int32Array(depth)
      for (const row of train) {
        const set = known[keys[row] as number] as Set<number>
        const [from, to] = spanOf(row)
        for (let at = from; at < to; at++) {
          const n = hashes(at, to, buffer)
          for (let i = 0; i < n; i++) set.add(buffer[i] as number)
        }
      }
      return (row, scores) => {
        const [from, to] = spanOf(row)
        for (let k = 0; k < classes; k++) {
          const set = known[k] as Set<number>
          let pieces = 0
          for (let at = from; at < to; ) {
            const n = hashes(at, to, buffer)
            let length = 1
            for (let i = n - 1; i > 0; i--)
              if (set.has(buffer[i] as number)) {
                length = i + 1
                break
              }
            at += length
            pieces++
          }
          scores[k] = -pieces
        }
      }
    },
  }
}
