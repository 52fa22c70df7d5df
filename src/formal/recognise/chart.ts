import type { Cnf } from '../grammar/cnf.ts'
import { type MaskRoom, spanPasses } from './span-passes.ts'

/** Which symbols derive which spans of one string of n tokens. */
export interface ParseChart {
  readonly length: number
  /** Does `symbol` derive tokens from..to-1? */
  has(symbol: number, from: number, to: number): boolean
  /** Of every span that some symbol derives: from, to, and those symbols, ascending. */
  cells(): number[][]
  /** The ends k of spans that begin at `from` and that `symbol` derives, ascending, below `to`. */
  endsBelow(symbol: number, from: number, to: number): number[]
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
      cells() {
        const found: number[][] = []
        for (let from = 0; from < length; from++) {
          const byEnd: (number[] | undefined)[] = new Array(length + 1)
          for (let symbol = 0; symbol < symbols; symbol++)
            for (let w = from >>> 5; w <= length >>> 5; w++)
              for (let left = word(symbol, from, w); left !== 0; left &= left - 1) {
                const to = 32 * w + 31 - Math.clz32(left & -left)
                const cell = byEnd[to]
                if (cell === undefined) byEnd[to] = [from, to, symbol]
                else cell.push(symbol)
              }
          for (const cell of byEnd) if (cell !== undefined) found.push(cell)
        }
        return found
      },
      endsBelow(symbol, from, to) {
        const found: number[] = []
        for (let w = from >>> 5; w <= to >>> 5; w++) {
          const below = w === to >>> 5 ? ~(-1 << (to & 31)) : -1
          for (let left = word(symbol, from, w) & below; left !== 0; left &= left - 1)
            found.push(32 * w + 31 - Math.clz32(left & -left))
        }
        return found
      },
    }
  }
}
