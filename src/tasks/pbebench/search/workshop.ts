import type { Pairs } from '../types.ts'
import { Census } from './census.ts'
import { buildLattice, type Lattice } from './lattice.ts'
import { PairMap } from './pair-map.ts'
import { COPY, Pieces } from './pieces.ts'
import { Rewrites } from './rewrites.ts'
import { NOTHING, Words } from './words.ts'

/** Above this many pieces or lattices the tables are begun anew. */
const MOST_PIECES = 300_000
const MOST_LATTICES = 100_000

/** How long words may grow on the way from the first of these words to the last. */
export const longestOnTheWay = (side: number, words: readonly string[]): number =>
  words.reduce((most, word) => Math.max(most, word.length), 0) + 2 * side + 2

/** What one search keeps: words, pieces, what pieces make of words, and the lattices of pairs seen. */
export class Workshop {
  readonly side: number
  /** Words may not grow beyond this on the way: greedy runs can pump them up. */
  readonly longest: number
  pieces!: Pieces
  words!: Words
  rewrites!: Rewrites
  /** What stands in the words and in the outputs of the explanation that is open. */
  inWords!: Census
  inOutputs!: Census
  private lattices: Lattice[] = []
  /** The numbers of lattices by word and output. */
  private whole!: PairMap
  private partial!: PairMap
  private distance = new Float64Array(256)
  private via = new Int32Array(256)
  private readonly pairs: number

  constructor(side: number, { inputs, outputs }: Pairs) {
    this.side = side
    this.pairs = inputs.length
    this.longest = longestOnTheWay(side, [...inputs, ...outputs])
    this.begin()
  }

  /** Forgets everything where it is too much; numbers from before are void then. */
  tidy(): void {
    if (this.pieces.size > MOST_PIECES || this.lattices.length > MOST_LATTICES) this.begin()
  }

  private begin(): void {
    this.pieces = new Pieces(this.side)
    this.words = new Words(this.pieces.parts, this.side)
    this.rewrites = new Rewrites(this.pieces, this.words, this.longest)
    this.inWords = new Census(this.words, this.pairs)
    this.inOutputs = new Census(this.words, this.pairs)
    this.lattices = []
    this.whole = new PairMap()
    this.partial = new PairMap()
  }

  lattice(word: number, output: number, whole: boolean): Lattice {
    const memory = whole ? this.whole : this.partial
    const known = memory.get(word, output)
    if (known !== -1) return this.lattices[known] as Lattice
    const { texts } = this.words
    const built = buildLattice(this.pieces, texts[word] as string, texts[output] as string, whole)
    memory.set(word, output, this.lattices.length)
    this.lattices.push(built)
    return built
  }

  /** The least summed weight of the pieces that turn the word into the output. */
  least(word: number, output: number): number {
    if (word === output) return 0
    return word === NOTHING ? Number.POSITIVE_INFINITY : this.shortest(this.lattice(word, output, false))
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
