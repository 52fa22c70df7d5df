import { buildLattice, type Lattice } from './lattice.ts'
import { COPY, Pieces } from './pieces.ts'

/** Above this many pieces or lattices the tables are begun anew. */
const MOST_PIECES = 300_000
const MOST_LATTICES = 100_000

/** How long words may grow on the way from the first of these words to the last. */
export const longestOnTheWay = (side: number, words: readonly string[]): number =>
  words.reduce((most, word) => Math.max(most, word.length), 0) + 2 * side + 2

/** Lattices by output and word. */
type Memory = Map<string, Map<string, Lattice>>

/** What one search keeps: pieces and the lattices of pairs seen. */
export class Workshop {
  pieces: Pieces
  private whole: Memory = new Map()
  private partial: Memory = new Map()
  private lattices = 0
  private distance = new Float64Array(256)
  private via = new Int32Array(256)
  readonly side: number
  /** Words may not grow beyond this on the way: greedy runs can pump them up. */
  readonly longest: number

  constructor(side: number, words: readonly string[]) {
    this.side = side
    this.longest = longestOnTheWay(side, words)
    this.pieces = new Pieces(side)
  }

  /** Forgets everything where it is too much; numbers of pieces from before are void then. */
  tidy(): void {
    if (this.pieces.size <= MOST_PIECES && this.lattices <= MOST_LATTICES) return
    this.pieces = new Pieces(this.side)
    this.whole = new Map()
    this.partial = new Map()
    this.lattices = 0
  }

  lattice(word: string, output: string, whole: boolean): Lattice {
    const memory = whole ? this.whole : this.partial
    let row = memory.get(output)
    if (row === undefined) {
      row = new Map()
      memory.set(output, row)
    }
    let found = row.get(word)
    if (found === undefined) {
      found = buildLattice(this.pieces, word, output, whole)
      row.set(word, found)
      this.lattices++
    }
    return found
  }

  /** The least summed weight of the pieces that turn the word into the output. */
  least(word: string, output: string): number {
    if (word === '') return output === '' ? 0 : Number.POSITIVE_INFINITY
    return word === output ? 0 : this.shortest(this.lattice(word, output, false))
  }

  /** The least summed weight of a path. */
  shortest({ nodes, arcs }: Lattice): number {
    if (nodes > this.distance.length) {
      this.distance = new Float64Array(nodes * 2)
      this.via = new Int32Array(nodes * 2)
    }
    const { distance, via } = this
    const { weight } = this.pieces
    for (let k = 1; k < nodes; k++) distance[k] = Number.POSITIVE_INFINITY
    distance[0] = 0
    for (let e = 0; e < arcs.length; e += 3) {
      const sum = (distance[arcs[e] as number] as number) + (weight[arcs[e + 2] as number] as number)
      const to = arcs[e + 1] as number
      if (sum < (distance[to] as number)) {
        distance[to] = sum
        via[to] = e
      }
    }
    return distance[1] as number
  }

  /** The pieces of the path that {@link shortest} found last, each once. */
  pathOf({ arcs }: Lattice): number[] {
    const out: number[] = []
    for (let node = 1; node !== 0; ) {
      const e = this.via[node] as number
      const piece = arcs[e + 2] as number
      if (piece !== COPY && !out.includes(piece)) out.push(piece)
      node = arcs[e] as number
    }
    return out
  }
}
