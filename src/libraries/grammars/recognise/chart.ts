import type { Cnf } from '../grammar/cnf.ts'
import { type MaskRoom, spanPasses } from './span-passes.ts'

/** Which symbols derive which spans of one string of n tokens. */
export interface ParseChart {
  readonly length: number
  /** Does `symbol` derive tokens from..to-1? */
  has(symbol: number, from: number, to: number): boolean
  /** Ends 32 w to 32 w + 31 of the spans that begin at `from` and that `symbol` derives, as bits. */
  word(symbol: number, from: number, w: number): number
  /** Of every span that some symbol derives: from, to, and those symbols, ascending. */
  cells(): number[][]
  /** The ends k of spans that begin at `from` and that `symbol` derives, ascending, below `to`. */
  endsBelow(symbol: number, from: number, to: number): number[]
  /** The least place k between `from` and `to` so that `left` derives from..k-1 and `right` k..to-1, or null. */
  firstSplit(left: number, right: number, from: number, to: number): number | null
}

/**
 * Charts of one grammar: all items are kept, with nothing filtered, so that a chart is closed under the rules. A chart is
 * valid until the next one is made.
 */
export function chartBuilder(cnf: Cnf): (tokens: ArrayLike<number>) => ParseChart {
  const symbols = cnf.nonterminals.length
  const room: MaskRoom = { words: new Int32Array(0) }
  return (tokens) => {
    const { length, has, word } = spanPasses(cnf).inside(tokens).kept(room)
    return {
      length,
      has,
      word,
      cells() {
        const found: number[][] = []
        const byEnd = new Array<number[] | null>(length + 1).fill(null)
        for (let from = 0; from < length; from++) {
          for (let symbol = 0; symbol < symbols; symbol++)
            for (let w = from >>> 5; w <= length >>> 5; w++)
              for (let left = word(symbol, from, w); left !== 0; left &= left - 1) {
                const to = 32 * w + lowestBit(left)
                const cell = byEnd[to]!
                if (cell === null) byEnd[to] = [from, to, symbol]
                else cell.push(symbol)
              }
          for (let to = from + 1; to <= length; to++) {
            const cell = byEnd[to]!
            if (cell === null) continue
            found.push(cell)
            byEnd[to] = null
          }
        }
        return found
      },
      endsBelow(symbol, from, to) {
        const found: number[] = []
        for (let w = from >>> 5; w <= to >>> 5; w++)
          for (let left = word(symbol, from, w) & below(to, w); left !== 0; left &= left - 1)
            found.push(32 * w + lowestBit(left))
        return found
      },
      firstSplit(left, right, from, to) {
        for (let w = from >>> 5; w <= to >>> 5; w++)
          for (let ends = word(left, from, w) & below(to, w); ends !== 0; ends &= ends - 1) {
            const split = 32 * w + lowestBit(ends)
            if (has(right, split, to)) return split
          }
        return null
      },
    }
  }
}

const lowestBit = (word: number): number => 31 - Math.clz32(word & -word)

/** The bits of word w that stand for places before `to`; w is not after the word of `to`. */
const below = (to: number, w: number): number => (w === to >>> 5 ? ~(-1 << (to & 31)) : -1)
