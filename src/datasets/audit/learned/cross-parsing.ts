import type { Learner } from '../../../libraries/locality/learner.ts'
import type { Vocabulary } from '../vocabulary.ts'

const depth = 4
const maxText = 200
const maxBits = 24

/**
 * Cross-parsing length (Ziv and Merhav 1993) against the text of each class: into how few pieces that occurred there, of
 * at most four words, does a text fall? It stands in for a compressor, and needs none. Pieces are known by as many bits
 * of their hash as leave few of them alike.
 */
export function crossParsing({ ids, start }: Vocabulary): Learner {
  /** Hashes of the pieces of 2..depth words that begin at `at`; returns how many there are. */
  const hashes = (at: number, end: number, out: Int32Array): number => {
    let h = 0x811c9dc5
    let n = 0
    for (; n < depth && at + n < end; n++) {
      h = Math.imul(h ^ (ids[at + n] as number), 0x01000193) ^ (n + 1)
      h ^= h >>> 15
      if (n > 0) out[n - 1] = h >>> (32 - maxBits)
    }
    return Math.max(0, n - 1)
  }
  const endOf = (row: number): number => Math.min(start[row + 1] as number, (start[row] as number) + maxText)
  const has = (table: Uint8Array, hash: number): boolean =>
    (((table[(hash >>> 3) & (table.length - 1)] as number) >>> (hash & 7)) & 1) === 1
  return {
    probe: 'learned/cross-parsing',
    limits: { train: 4000, test: Number.POSITIVE_INFINITY },
    fit(train, keys, classes) {
      const words = train.reduce((sum, row) => sum + endOf(row) - (start[row] as number), 0)
      // Eight bytes, 64 bits, for each word, in a power of two.
      const bytes = 2 ** Math.min(maxBits - 3, Math.ceil(Math.log2(8 * words + 8)))
      const known = Array.from({ length: classes }, () => new Uint8Array(bytes))
      const buffer = new Int32Array(depth - 1)
      for (const row of train) {
        const table = known[keys[row] as number] as Uint8Array
        const end = endOf(row)
        for (let at = start[row] as number; at < end; at++) {
          const n = hashes(at, end, buffer)
          for (let i = 0; i < n; i++) {
            const hash = buffer[i] as number
            const at = (hash >>> 3) & (bytes - 1)
            table[at] = (table[at] as number) | (1 << (hash & 7))
          }
        }
      }
      return (row, scores) => {
        const end = endOf(row)
        for (let k = 0; k < classes; k++) {
          const table = known[k] as Uint8Array
          let pieces = 0
          for (let at = start[row] as number; at < end; pieces++) {
            let longest = hashes(at, end, buffer)
            while (longest > 0 && !has(table, buffer[longest - 1] as number)) longest--
            at += longest + 1
          }
          scores[k] = -pieces
        }
      }
    },
  }
}
