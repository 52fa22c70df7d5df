import { buildLattice } from './lattice.ts'
import { PairMap } from './pair-map.ts'
import { COPY, type Pieces } from './pieces.ts'
import type { Words } from './words.ts'

/** The {@link Lattice lattices} of pairs seen, numbered, and their cheapest paths. */
export class Lattices {
  /** All arcs, one lattice behind the other, and where each begins and the next one does. */
  private arcs = new Int32Array(1 << 12)
  private readonly begin = [0]
  private readonly nodes: number[] = []
  private readonly pieceLists: (readonly number[])[] = []
  /** Numbers by word and output. */
  private readonly whole = new PairMap()
  private readonly partial = new PairMap()
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
    const memory = whole ? this.whole : this.partial
    const known = memory.get(word, output)
    if (known !== -1) return known
    const { texts } = this.words
    const { nodes, arcs, distinct } = buildLattice(this.pieces, texts[word] as string, texts[output] as string, whole)
    const id = this.nodes.length
    const begin = this.begin[id] as number
    if (begin + arcs.length > this.arcs.length) {
      const wider = new Int32Array(2 * (begin + arcs.length))
      wider.set(this.arcs)
      this.arcs = wider
    }
    for (let k = 0; k < arcs.length; k++) this.arcs[begin + k] = arcs[k] as number
    this.begin.push(begin + arcs.length)
    this.nodes.push(nodes)
    this.pieceLists.push(distinct)
    memory.set(word, output, id)
    return id
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
