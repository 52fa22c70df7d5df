import { buildLattice, type Lattice, Pieces } from './pieces.ts'

/** Above this many pieces the tables are begun anew. */
const MOST_PIECES = 400_000
const MOST_LATTICES = 60_000

/** How long words may grow on the way from the first of these words to the last. */
export const longestOnTheWay = (side: number, words: readonly string[]): number =>
  words.reduce((most, word) => Math.max(most, word.length), 0) + 2 * side + 2

/** What one search keeps: pieces, lattices of pairs seen, and the weights of the step at hand. */
export class Workshop {
  pieces: Pieces
  private whole = new Map<string, Lattice>()
  private partial = new Map<string, Lattice>()
  private weight = new Float64Array(1 << 12)
  private weighted = new Int32Array(1 << 12)
  private overlay = new Float64Array(1 << 12)
  private overlaid = new Int32Array(1 << 12)
  private era = 0
  private layer = 0
  private tally = 0
  private counts = new Int32Array(1 << 12)
  private counted = new Int32Array(1 << 12)
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

  /** Forgets all pieces where there are too many; numbers from before are void then. */
  tidy(): void {
    if (this.pieces.size <= MOST_PIECES && this.partial.size <= MOST_LATTICES && this.whole.size <= MOST_LATTICES)
      return
    this.pieces = new Pieces(this.side)
    this.whole = new Map()
    this.partial = new Map()
    this.era++
    this.layer++
  }

  lattice(word: string, output: string, whole: boolean): Lattice {
    const memory = whole ? this.whole : this.partial
    const key = `${word}>${output}`
    let found = memory.get(key) ?? (whole ? undefined : this.whole.get(key))
    if (found === undefined) {
      found = buildLattice(this.pieces, word, output, whole)
      memory.set(key, found)
    }
    return found
  }

  /** Begins a new set of weights; pieces without one weigh their cost. */
  beginWeights(): void {
    this.era++
  }

  setWeight(id: number, value: number): void {
    this.grow(id)
    this.weight[id] = value
    this.weighted[id] = this.era
  }

  /** Begins a new layer of weights that hold for one evaluation. */
  beginLayer(): void {
    this.layer++
  }

  lower(id: number, value: number): void {
    if (this.weightOf(id) <= value) return
    this.grow(id)
    this.overlay[id] = value
    this.overlaid[id] = this.layer
  }

  weightOf(id: number): number {
    if (id < this.overlaid.length && this.overlaid[id] === this.layer) return this.overlay[id] as number
    return id < this.weighted.length && this.weighted[id] === this.era
      ? (this.weight[id] as number)
      : (this.pieces.cost[id] as number)
  }

  /** Pairs that could use a piece, counted since {@link beginCounts}. */
  beginCounts(): void {
    this.tally++
  }

  count(id: number): number {
    if (id >= this.counts.length) {
      this.counts = enlarged(this.counts, new Int32Array(Math.max(id + 1, this.counts.length * 2)))
      this.counted = enlarged(this.counted, new Int32Array(this.counts.length))
    }
    const now = this.counted[id] === this.tally ? (this.counts[id] as number) + 1 : 1
    this.counted[id] = this.tally
    this.counts[id] = now
    return now
  }

  countOf(id: number): number {
    return id < this.counts.length && this.counted[id] === this.tally ? (this.counts[id] as number) : 0
  }

  private grow(id: number): void {
    if (id < this.weight.length) return
    const size = Math.max(id + 1, this.weight.length * 2)
    this.weight = enlarged(this.weight, new Float64Array(size))
    this.weighted = enlarged(this.weighted, new Int32Array(size))
    this.overlay = enlarged(this.overlay, new Float64Array(size))
    this.overlaid = enlarged(this.overlaid, new Int32Array(size))
  }

  /** The least summed weight of a path. */
  least({ nodes, from, to, piece }: Lattice): number {
    if (nodes > this.distance.length) {
      this.distance = new Float64Array(nodes * 2)
      this.via = new Int32Array(nodes * 2)
    }
    const { distance, via } = this
    distance.fill(Number.POSITIVE_INFINITY, 0, nodes)
    distance[0] = 0
    for (let e = 0; e < from.length; e++) {
      const id = piece[e] as number
      const sum = (distance[from[e] as number] as number) + (id < 0 ? 0 : this.weightOf(id))
      const target = to[e] as number
      if (sum < (distance[target] as number)) {
        distance[target] = sum
        via[target] = e
      }
    }
    return distance[nodes - 1] as number
  }

  /** The pieces of the path that {@link least} found last. */
  pathOf({ nodes, from, piece }: Lattice): number[] {
    const out: number[] = []
    for (let node = nodes - 1; node !== 0; ) {
      const e = this.via[node] as number
      if ((piece[e] as number) >= 0) out.push(piece[e] as number)
      node = from[e] as number
    }
    return out
  }
}

function enlarged<T extends Float64Array | Int32Array>(old: T, fresh: T): T {
  fresh.set(old)
  return fresh
}
