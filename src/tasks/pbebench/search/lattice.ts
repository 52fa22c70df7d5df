import { COPY, type Pieces, pieceCost, type Row } from './pieces.ts'

/**
 * All cheap ways to turn a word into its output: a graph over places in both words, whose arcs copy a letter or rewrite
 * a few letters. Node 0 is the start, node 1 the end.
 */
export interface Lattice {
  readonly nodes: number
  /** Arcs in topological order, three numbers each: from, to, piece. */
  readonly arcs: Int32Array
  /** The pieces, each once; listed only where the lattice is whole. */
  readonly distinct: readonly number[]
}

/** Scratch tables of the lattice that is being built. */
let back = new Float64Array(1 << 10)
let ahead = new Float64Array(1 << 10)
let number = new Int32Array(1 << 10)

/**
 * The lattice of a pair. `whole`: with every piece on a path within 1 of the cheapest (only the cheapest where that is
 * dear), to choose rules from; otherwise cheapest paths only, which is enough to see what a rule does. No path leaves an
 * empty word.
 */
export function buildLattice(pieces: Pieces, word: string, output: string, whole: boolean): Lattice {
  const { side } = pieces
  const { c, o } = trimmed(word, output, side - 1)
  const [rows, columns] = [c.length + 1, o.length + 1]
  const size = rows * columns
  if (size > back.length) {
    back = new Float64Array(2 * size)
    ahead = new Float64Array(2 * size)
    number = new Int32Array(2 * size)
  }
  // Right sides of two rules, or as long as an output needs that is many times as long as its word.
  const reach = Math.max(2 * side, Math.ceil(o.length / c.length) + side)
  backward(c, o, side, reach)
  const best = back[0] as number
  const most = best + (whole && best < 4 ? 1 : 0) + 1e-9
  ahead.fill(Number.POSITIVE_INFINITY, 0, size)
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
  const lefts: string[] = []
  const pieceRows: Row[] = []
  const rights: string[] = []
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
        const after = here + pieceCost(r, side)
        for (let l = 1; l <= side && i + l < rows; l++) {
          const next = node + l * columns + r
          if (after + (back[next] as number) > most) continue
          const left = cut(lefts, i * side + l - 1, c, i, i + l)
          const right = cut(rights, j * (reach + 1) + r, o, j, j + r)
          if (left === right) continue
          const row = pieceRows[i * side + l - 1] ?? pieces.row(left)
          pieceRows[i * side + l - 1] = row
          const piece = pieces.idIn(row, left, right)
          arc(node, next, after, piece)
          if (whole) found.push(piece)
        }
      }
    }
  return { nodes, arcs: Int32Array.from(arcs), distinct: [...new Set(found)] }
}

/** A part of a text, cut once. */
function cut(memory: string[], at: number, text: string, from: number, to: number): string {
  const part = memory[at] ?? text.slice(from, to)
  memory[at] = part
  return part
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

/** Cheapest cost from each node to the end. */
function backward(c: string, o: string, side: number, reach: number): void {
  const [rows, columns] = [c.length + 1, o.length + 1]
  back.fill(Number.POSITIVE_INFINITY, 0, rows * columns)
  back[rows * columns - 1] = 0
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--) {
      const node = i * columns + j
      let least = back[node] as number
      if (i < c.length && j < o.length && c.charCodeAt(i) === o.charCodeAt(j))
        least = Math.min(least, back[node + columns + 1] as number)
      for (let r = 0; r <= reach && j + r < columns; r++) {
        const cost = pieceCost(r, side)
        if (cost >= least) continue
        for (let l = 1; l <= side && i + l < rows; l++) {
          const total = cost + (back[node + l * columns + r] as number)
          if (total < least) least = total
        }
      }
      back[node] = least
    }
}
