import { COPY, PairNumbers, pieceCost, type RuleTable, type WordTable } from './word-tables.ts'

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

/** The lattices of pairs seen, numbered, and their cheapest paths. */
export class Lattices {
  private readonly list: Lattice[] = []
  /** Pairs of a word and an output, which is doubled, with 1 more for whole lattices. */
  private readonly ids = new PairNumbers()
  private arcs: readonly number[] = []
  private readonly distance: number[] = []
  private readonly via: number[] = []
  private readonly words: WordTable
  private readonly pieces: RuleTable

  constructor(words: WordTable, pieces: RuleTable) {
    this.words = words
    this.pieces = pieces
  }

  get size(): number {
    return this.list.length
  }

  id(word: number, output: number, whole: boolean): number {
    const id = this.ids.of(word, 2 * output + (whole ? 1 : 0))
    const { texts } = this.words
    if (id === this.size)
      this.list.push(buildLattice(this.pieces, texts[word] as string, texts[output] as string, whole))
    return id
  }

  /** The pieces of a whole lattice, each once. */
  distinct(id: number): readonly number[] {
    return (this.list[id] as Lattice).distinct
  }

  /** The least summed weight of a path. */
  shortest(id: number): number {
    const { arcs, nodes } = this.list[id] as Lattice
    const { distance, via } = this
    const { weight } = this.pieces
    this.arcs = arcs
    for (let k = 0; k < nodes; k++) distance[k] = k === 0 ? 0 : Number.POSITIVE_INFINITY
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

/** No path; two of them can be added. */
const FAR = 1 << 28

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
  /** By length; in tenths. */
  const costs = Array.from({ length: reach + 1 }, (_, r) => Math.round(10 * pieceCost(r, side)))
  const { back, below } = backward(c, o, side, costs)
  const best = back[0] as number
  const most = best + (whole && best < 40 ? 10 : 0)
  /** By node: the cheapest cost from the start, and its number in the lattice. */
  const ahead = new Array<number>(size).fill(FAR)
  const number = new Array<number>(size).fill(-1)
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
      if (i < c.length && j < o.length && c[i] === o[j]) {
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
  while (head < shortest && word[head] === output[head]) head++
  let tail = 0
  while (tail < shortest - head && word.at(-1 - tail) === output.at(-1 - tail)) tail++
  const start = Math.max(0, head - context)
  const end = Math.max(0, tail - context)
  return { c: word.slice(start, word.length - end), o: output.slice(start, output.length - end) }
}

/** Cheapest cost from each node to the end, and, in `below`, from the best of the nodes some letters of `c` further. */
function backward(c: string, o: string, side: number, costs: readonly number[]) {
  const [rows, columns] = [c.length + 1, o.length + 1]
  const end = rows * columns - 1
  const back = new Array<number>(end + 1).fill(FAR)
  const below = new Array<number>(end + 1).fill(FAR)
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--) {
      const node = i * columns + j
      let lowest = FAR
      for (let l = 1; l <= side && i + l < rows; l++) lowest = Math.min(lowest, back[node + l * columns] as number)
      below[node] = lowest
      let least = node === end ? 0 : FAR
      if (i < c.length && j < o.length && c[i] === o[j]) least = back[node + columns + 1] as number
      for (let r = 0; r < costs.length && j + r < columns; r++)
        least = Math.min(least, (costs[r] as number) + (below[node + r] as number))
      back[node] = least
    }
  return { back, below }
}
