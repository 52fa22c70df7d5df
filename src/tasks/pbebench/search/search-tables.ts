import type { Pairs } from '../types.ts'
import { Census } from './census.ts'
import { Lattices } from './lattices.ts'
import { Pieces } from './pieces.ts'
import { Rewrites } from './rewrites.ts'
import { NOTHING, Words } from './words.ts'

/** Above this many words, pieces or lattices the tables are begun anew. */
const MAX_WORDS = 300_000
const MAX_PIECES = 300_000
const MAX_LATTICES = 100_000

/** How long words may grow on the way from the first of these words to the last. */
export const maxOnTheWay = (side: number, words: readonly string[]): number =>
  words.reduce((most, word) => Math.max(most, word.length), 0) + 2 * side + 2

/** What one search keeps: words, pieces, what pieces make of words, and the lattices of pairs seen. */
export class SearchTables {
  readonly side: number
  /** Words may not grow beyond this on the way: greedy runs can pump them up. */
  readonly longest: number
  pieces!: Pieces
  words!: Words
  rewrites!: Rewrites
  lattices!: Lattices
  /** What stands in the words and in the outputs of the explanation that is open. */
  inWords!: Census
  inOutputs!: Census
  private readonly pairs: number

  constructor(side: number, { inputs, outputs }: Pairs) {
    this.side = side
    this.pairs = inputs.length
    this.longest = maxOnTheWay(side, [...inputs, ...outputs])
    this.begin()
  }

  /** Forgets everything where it is too much; numbers from before are void then. */
  tidy(): void {
    const { words, pieces, lattices } = this
    if (words.size > MAX_WORDS || pieces.size > MAX_PIECES || lattices.size > MAX_LATTICES) this.begin()
  }

  private begin(): void {
    this.pieces = new Pieces(this.side)
    this.words = new Words(this.pieces.parts, this.side)
    this.rewrites = new Rewrites(this.pieces, this.words)
    this.lattices = new Lattices(this.words, this.pieces)
    this.inWords = new Census(this.words, this.pairs)
    this.inOutputs = new Census(this.words, this.pairs)
  }

  /** The least summed weight of the pieces that turn the word into the output. */
  least(word: number, output: number): number {
    if (word === output) return 0
    if (word === NOTHING) return Number.POSITIVE_INFINITY
    return this.lattices.shortest(this.lattices.id(word, output, false))
  }
}
