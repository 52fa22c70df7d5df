/** Rules that may explain a difference, numbered; a lattice refers to them by number. */
export class Pieces {
  readonly left: string[] = []
  readonly right: string[] = []
  readonly cost: number[] = []
  private readonly ids = new Map<string, number>()
  readonly side: number

  constructor(side: number) {
    this.side = side
  }

  get size(): number {
    return this.left.length
  }

  id(left: string, right: string): number {
    const key = `${left}>${right}`
    let id = this.ids.get(key)
    if (id === undefined) {
      id = this.left.length
      this.ids.set(key, id)
      this.left.push(left)
      this.right.push(right)
      this.cost.push(pieceCost(right.length, this.side))
    }
    return id
  }
}

/** A right side longer than a rule allows needs two rules; an empty one is rare. */
export const pieceCost = (length: number, side: number): number => (length === 0 ? 1.7 : length <= side ? 1 : 2)

/**
 * All cheap ways to turn a word into its output: a graph over places in both words, whose arcs copy a letter (piece -1)
 * or rewrite a few letters. Arcs are in topological order; node 0 is the start, `nodes - 1` the end.
 */
export interface Lattice {
  readonly nodes: number
  readonly from: readonly number[]
  readonly to: readonly number[]
  readonly piece: readonly number[]
  /** The pieces, each once. */
  readonly distinct: readonly number[]
}

/**
 * The lattice of a pair. `whole`: with every piece on a path within 1 of the cheapest (only the cheapest where that is
 * dear), to choose rules from; otherwise cheapest paths only, which is enough to see what a rule does.
 */
export function buildLattice(pieces: Pieces, word: string, output: string, whole: boolean): Lattice {
  const { c, o } = trimmed(word, output, pieces.side - 1)
  const side = pieces.side
  const [rows, columns] = [c.length + 1, o.length + 1]
  const back = backward(c, o, side)
  const best = back[0] as number
  const slack = whole && best < 4 ? 1 : 0
  const ahead = new Float64Array(rows * columns).fill(Number.POSITIVE_INFINITY)
  ahead[0] = 0
  const [from, to, piece]: [number[], number[], number[]] = [[], [], []]
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) {
      const node = i * columns + j
      const here = ahead[node] as number
      if (here + (back[node] as number) > best + slack) continue
      if (i < c.length && j < o.length && c.charCodeAt(i) === o.charCodeAt(j)) {
        const next = node + columns + 1
        if (here + (back[next] as number) <= best + slack) {
          if (here < (ahead[next] as number)) ahead[next] = here
          from.push(node)
          to.push(next)
          piece.push(-1)
        }
      }
      for (let r = 0; r <= 2 * side && j + r < columns; r++) {
        const after = here + pieceCost(r, side)
        for (let l = 1; l <= side && i + l < rows; l++) {
          const next = node + l * columns + r
          const total = after + (back[next] as number)
          if (total > best + slack) continue
          const [left, right] = [c.slice(i, i + l), o.slice(j, j + r)]
          if (left === right) continue
          if (after < (ahead[next] as number)) ahead[next] = after
          from.push(node)
          to.push(next)
          piece.push(pieces.id(left, right))
        }
      }
    }
  const distinct = [...new Set(piece)].filter((id) => id >= 0)
  return { nodes: rows * columns, from, to, piece, distinct }
}

/** Cheapest cost from each node to the end. */
function backward(c: string, o: string, side: number): Float64Array {
  const [rows, columns] = [c.length + 1, o.length + 1]
  const back = new Float64Array(rows * columns).fill(Number.POSITIVE_INFINITY)
  back[rows * columns - 1] = 0
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--) {
      const node = i * columns + j
      let least = back[node] as number
      if (i < c.length && j < o.length && c.charCodeAt(i) === o.charCodeAt(j))
        least = Math.min(least, back[node + columns + 1] as number)
      for (let r = 0; r <= 2 * side && j + r < columns; r++) {
        const cost = pieceCost(r, side)
        if (cost >= least) continue
        for (let l = 1; l <= side && i + l < rows; l++) {
          const total = cost + (back[node + l * columns + r] as number)
          if (total < least) least = total
        }
      }
      back[node] = least
    }
  return back
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
