import { COPY, PairNumbers, pieceCost, type RuleTable, type WordTable } from './word-tables.ts'

/** The {@link Lattice lattices} of pairs seen, numbered, and their cheapest paths. */
export class Lattices {
  /** All arcs, one lattice after another, with their offsets. */
  private readonly arcs: number[] = []
  private readonly begin = [0]
  private readonly nodes: number[] = []
  private readonly pieceLists: (readonly number[])[] = []
  /** Pairs of a word and an output, which is doubled, with 1 more for whole lattices. */
  private readonly ids = new PairNumbers()
  private readonly distance: number[] = []
  private readonly via: number[] = []
  private readonly words: WordTable
  private readonly pieces: RuleTable

  constructor(words: WordTable, pieces: RuleTable) {
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
    for (const one of arcs) this.arcs.push(one)
    this.begin.push(this.arcs.length)
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
    const { arcs, distance, via } = this
    const { weight } = this.pieces
    for (let k = 0; k < nodes; k++) distance[k] = k === 0 ? 0 : Number.POSITIVE_INFINITY
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

/**
 * All cheap ways to turn a word into its output: a graph over places in both words, whose arcs copy a letter or rewrite
 * a few letters. Node 0 is the start, node 1 the end.
 */
interface Lattice {
  readonly nodes: number
  /** Arcs in topological order, three numbers each: from, to, piece. */
  readonly arcs: readonly number[]
  /** The pieces, each once; listed only where the lattice is whole. */
  readonly distinct: readonly number[]
}

/** Tables for the lattice that is being built: by node, and by length; costs are in tenths. */
const scratchOf = (size: number) => ({
  back: new Int32Array(size),
  below: new Int32Array(size),
  ahead: new Int32Array(size),
  number: new Int32Array(size),
  costs: new Int32Array(size),
})

/** No path; two of them can be added. */
const FAR = 1 << 28

let kept = scratchOf(1 << 10)

/**
 * The lattice of a pair. `whole`: every piece on a path within 1 of the cheapest (only the cheapest where that is
 * expensive), for choosing rules; otherwise cheapest paths only, which suffice to evaluate a rule. No path leaves an
 * empty word.
 */
function buildLattice(pieces: RuleTable, word: string, output: string, whole: boolean): Lattice {
  const { side, parts } = pieces
  const { c, o } = trimmed(word, output, side - 1)
  const [rows, columns] = [c.length + 1, o.length + 1]
  const size = rows * columns
  // Right sides of two rules, or as long as an output needs that is many times as long as its word.
  const reach = Math.min(o.length, Math.max(2 * side, Math.ceil(o.length / c.length) + side))
  const room = Math.max(size, reach + 1)
  if (room > kept.back.length) kept = scratchOf(2 * room)
  const { back, below, ahead, number, costs } = kept
  for (let r = 0; r <= reach; r++) costs[r] = Math.round(10 * pieceCost(r, side))
  backward(c, o, side, reach)
  const best = back[0] as number
  const most = best + (whole && best < 40 ? 10 : 0)
  ahead.fill(FAR, 0, size)
  number.fill(-1, 0, size)
  ahead[0] = 0
  number[0] = 0
  number[size - 1] = 1
  let nodes = 2
  const arcs: number[] = []
  const arc = (from: number, to: number, after: number, piece: number): void => {
    if (after < (ahead[to] as number)) ahead[to] = after
    if (number[to] === -1) number[to] = nodes++
    arcs.push(number[from] as number, number[to] as number, piece)
  }
  const found: number[] = []
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) {
      const node = i * columns + j
      const here = ahead[node] as number
      if (here + (back[node] as number) > most) continue
      if (i < c.length && j < o.length && c.charCodeAt(i) === o.charCodeAt(j)) {
        const next = node + columns + 1
        if (here + (back[next] as number) <= most) arc(node, next, here, COPY)
      }
      for (let r = 0; r <= reach && j + r < columns; r++) {
        const after = here + (costs[r] as number)
        if (after + (below[node + r] as number) > most) continue
        const right = parts.id(o.slice(j, j + r))
        for (let l = 1; l <= side && i + l < rows; l++) {
          const next = node + l * columns + r
          if (after + (back[next] as number) > most) continue
          const left = parts.id(c.slice(i, i + l))
          if (left === right) continue
          const piece = pieces.of(left, right)
          arc(node, next, after, piece)
          if (whole) found.push(piece)
        }
      }
    }
  return { nodes, arcs, distinct: whole ? [...new Set(found)] : found }
}

/** Without the shared ends, but for as many letters of context as a rule can hold. */
function trimmed(word: string, output: string, context: number): { c: string; o: string } {
  const shortest = Math.min(word.length, output.length)
  let head = 0
  while (head < shortest && word.charCodeAt(head) === output.charCodeAt(head)) head++
  let tail = 0
  while (
    tail < shortest - head &&
    word.charCodeAt(word.length - 1 - tail) === output.charCodeAt(output.length - 1 - tail)
  )
    tail++
  const start = Math.max(0, head - context)
  const end = Math.max(0, tail - context)
  return { c: word.slice(start, word.length - end), o: output.slice(start, output.length - end) }
}

/** Cheapest cost from each node to the end, and, in `below`, from the best of the nodes some letters of `c` further. */
function backward(c: string, o: string, side: number, reach: number): void {
  const { back, below, costs } = kept
  const [rows, columns] = [c.length + 1, o.length + 1]
  const end = rows * columns - 1
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--) {
      const node = i * columns + j
      let lowest = FAR
      for (let l = 1; l <= side && i + l < rows; l++) {
        const after = back[node + l * columns] as number
        if (after < lowest) lowest = after
      }
      below[node] = lowest
      let least = node === end ? 0 : FAR
      if (i < c.length && j < o.length && c.charCodeAt(i) === o.charCodeAt(j))
        least = back[node + columns + 1] as number
      for (let r = 0; r <= reach && j + r < columns; r++) {
        const after = (costs[r] as number) + (below[node + r] as number)
        if (after < least) least = after
      }
      back[node] = least
    }
}
