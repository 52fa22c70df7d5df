import { buildLattice } from './lattice.ts'
import { PairNumbers } from './pair-numbers.ts'
import { COPY, type Pieces } from './pieces.ts'
import type { Words } from './words.ts'

/** The {@link Lattice lattices} of pairs seen, numbered, and their cheapest paths. */
export class Lattices {
  /** All arcs, one lattice behind the other, and where each begins and the next one does. */
  private arcs = new Int32Array(1 << 12)
  private readonly begin = [0]
  private readonly nodes: number[] = []
  private readonly pieceLists: (readonly number[])[] = []
  /** Pairs of a word and an output, which is doubled, with 1 more for whole lattices. */
  private readonly ids = new PairNumbers()
  private distance = new Float64Array(256)
  private via = new Int32Array(256)
  private readonly words: Words
  private readonly pieces: Pieces

  constructor(words: Words, pieces: Pieces) {
    this.words = words
    this.pieces = pieces
  }

  get size(): number {
    return this.nodes.length
  }

  id(word: number, output: number, whole: boolean): number {
    const id = this.ids.of(word, 2 * output + (whole ? 1 : 0))
    if (id === this.size) this.add(word, output, whole)
    return id
  }

  private add(word: number, output: number, whole: boolean): void {
    const { texts } = this.words
    const { nodes, arcs, distinct } = buildLattice(this.pieces, texts[word] as string, texts[output] as string, whole)
    const begin = this.begin.at(-1) as number
    const end = begin + arcs.length
    if (end > this.arcs.length) {
      const wider = new Int32Array(2 * end)
      wider.set(this.arcs)
      this.arcs = wider
    }
    for (let k = 0; k < arcs.length; k++) this.arcs[begin + k] = arcs[k] as number
    this.begin.push(end)
    this.nodes.push(nodes)
    this.pieceLists.push(distinct)
  }

  /** The pieces of a whole lattice, each once. */
  distinct(id: number): readonly number[] {
    return this.pieceLists[id] as readonly number[]
  }

  /** The least summed weight of a path. */
  shortest(id: number): number {
    const nodes = this.nodes[id] as number
    if (nodes > this.distance.length) {
      this.distance = new Float64Array(nodes * 2)
      this.via = new Int32Array(nodes * 2)
    }
    const { arcs, distance, via } = this
    const { weight } = this.pieces
    for (let k = 1; k < nodes; k++) distance[k] = Number.POSITIVE_INFINITY
    distance[0] = 0
    const end = this.begin[id + 1] as number
    for (let e = this.begin[id] as number; e < end; e += 3) {
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
  lastPath(): number[] {
    const { arcs, via } = this
    const out: number[] = []
    for (let node = 1; node !== 0; ) {
      const e = via[node] as number
      const piece = arcs[e + 2] as number
      if (piece !== COPY && !out.includes(piece)) out.push(piece)
      node = arcs[e] as number
    }
    return out
  }
}
