import type { Cnf } from './grammar.ts'
import { preterminals, rulesByChild } from './rules-by-child.ts'

/**
 * Which symbols derive which spans of one string of n tokens, as masks of ends. A mask has a bit for each of the n + 1
 * places between tokens, in `words` words of 32 bits; word w of all masks is a plane of its own, so that whoever works
 * from a split on leaves out the planes before it. Valid until the next chart is made.
 */
export interface ParseChart {
  readonly length: number
  readonly words: number
  /** n + 1 */
  readonly places: number
  /** The ends j, in word w, of the spans i..j that A derives: ends[(w * places + i) * symbols + A]. */
  readonly ends: Int32Array
  /** The symbols with some end in word w from i, each once: rows[(w * places + i) * symbols], .. */
  readonly rows: Int32Array
  /** .. so many: rowCount[w * places + i]. */
  readonly rowCount: Int32Array
  /** The union of their masks: reach[w * places + i]. */
  readonly reach: Int32Array
  /** Does `symbol` derive tokens from..to-1? */
  has(symbol: number, from: number, to: number): boolean
  /** Of every span that some symbol derives: from, to, and those symbols, ascending. */
  cells(): number[][]
  /** The ends k of spans that begin at `from` and that `symbol` derives, ascending, below `to`. */
  endsBelow(symbol: number, from: number, to: number): number[]
}

/**
 * Charts by row propagation: starts from right to left; at one start the splits k from left to right; a symbol B that
 * ends at k and a rule A -> B C give A all the ends that C has from k on, by one OR a word. What ends at k is complete
 * when k is reached, so nothing is queued, and on dense grammars hardly a branch is mispredicted. All items are kept,
 * with nothing filtered, so that the chart is closed under the rules. What is no terminal derives from nothing.
 */
export function chartBuilder(cnf: Cnf): (tokens: ArrayLike<number>) => ParseChart {
  const symbols = cnf.nonterminals.length
  const byToken = preterminals(cnf)
  const { start, rules } = rulesByChild(cnf, 1)
  let buffer = new Int32Array(0)
  let lists = new Int32Array(0)

  return (tokens) => {
    const n = tokens.length
    const words = (n >>> 5) + 1
    const places = n + 1
    const size = words * places * symbols
    if (buffer.length < size) {
      buffer = new Int32Array(size)
      lists = new Int32Array(size)
    } else buffer.fill(0, 0, size)
    // In local constants, for these loops are the whole cost.
    const ends = buffer
    const rows = lists
    const rowCount = new Int32Array(words * places)
    const reach = new Int32Array(words * places)
    for (let i = n - 1; i >= 0; i--) {
      const own = byToken[tokens[i] as number]
      if (own === undefined) continue
      const next = ((i + 1) >>> 5) * places + i
      for (const [s, a] of own.entries()) {
        ends[next * symbols + a] = 1 << ((i + 1) & 31)
        rows[next * symbols + s] = a
      }
      rowCount[next] = own.length
      reach[next] = own.length === 0 ? 0 : 1 << ((i + 1) & 31)
      for (let k = i + 1; k < n; k++) {
        const here = (k >>> 5) * places + i
        const bit = 1 << (k & 31)
        if ((reach[here]! & bit) === 0) continue
        const list = here * symbols
        const listed = rowCount[here]!
        for (let w = k >>> 5; w < words; w++) {
          const to = (w * places + i) * symbols
          const from = (w * places + k) * symbols
          let count = rowCount[w * places + i]!
          let reached = 0
          for (let s = 0; s < listed; s++) {
            const b = rows[list + s]!
            if ((ends[list + b]! & bit) === 0) continue
            const last = start[b + 1]!
            for (let r = start[b]!; r < last; r += 2) {
              const found = ends[from + rules[r]!]!
              const a = rules[r + 1]!
              const old = ends[to + a]!
              ends[to + a] = old | found
              if (old === 0 && found !== 0) rows[to + count++] = a
              reached |= found
            }
          }
          rowCount[w * places + i] = count
          reach[w * places + i]! |= reached
        }
      }
    }

    /** Word w of the ends of `symbol` from `from`. */
    const mask = (w: number, from: number, symbol: number): number => ends[(w * places + from) * symbols + symbol]!
    return {
      length: n,
      words,
      places,
      ends,
      rows,
      rowCount,
      reach,
      has: (symbol, from, to) => (mask(to >>> 5, from, symbol) & (1 << (to & 31))) !== 0,
      cells() {
        const found: number[][] = []
        for (let from = 0; from < n; from++) {
          const byEnd: (number[] | undefined)[] = new Array(places)
          for (let symbol = 0; symbol < symbols; symbol++)
            for (let w = from >>> 5; w < words; w++)
              for (let left = mask(w, from, symbol); left !== 0; left &= left - 1) {
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
          for (let left = mask(w, from, symbol) & below; left !== 0; left &= left - 1)
            found.push(32 * w + 31 - Math.clz32(left & -left))
        }
        return found
      },
    }
  }
}
