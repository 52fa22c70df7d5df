import { enc, hex, sha256 } from '../../core/index.ts'

/** A relation and the vertices it holds between, in order: `[relation, v1, .., vk]`. */
export type Tuple = readonly number[]

/**
 * Vertices 0..n-1 with colours, and tuples over them. Colours only set the order of the vertices and are not in the keys:
 * two structures that differ in how many vertices have which colour, and in nothing else, share their form. Where these
 * numbers may differ, tuples must tell the colours: every vertex (but those of one colour) stands in a tuple, at a place
 * of a relation that only vertices of its colour take; or has a separate tuple that names the colour.
 */
export interface ColouredStructure {
  readonly n: number
  readonly colours: readonly number[]
  readonly tuples: readonly Tuple[]
}

export interface Canonical {
  /** 32 hex digits, equal for isomorphic structures; not complete: a few others share it. */
  readonly invariant: string
  /**
   * 32 hex digits, equal for isomorphic structures, and for no others among those that have equally many vertices of each
   * colour or whose tuples tell the colours; null where the search would branch too much.
   */
  readonly form: string | null
  /** Vertex -> its place in the canonical order; null with `form`. */
  readonly labelling: readonly number[] | null
  /** Leaves of the search. 1: only swaps of twins lead from the structure to itself. */
  readonly leaves: number
}

/** Leaves of the search beyond which only the invariant is given. */
const maxLeaves = 2000

/**
 * The canonical form of a coloured relational structure (docs/concepts.md#canonical-forms): colour refinement, then individualisation of
 * the smallest cell, one vertex a twin class, keeping the least encoding. `kind` names what the structure encodes.
 */
export function canonical(kind: string, structure: ColouredStructure): Canonical {
  const { tuples, incidence, refined } = refinement(structure)
  const invariant = key(kind, refined, tuples)
  const { best, leaves } = search(refined, tuples, incidence)
  return { invariant, form: best === null ? null : key(kind, best, tuples), labelling: best, leaves }
}

/** The invariant alone, without the search: 32 hex digits, equal for isomorphic structures. */
export function canonicalInvariant(kind: string, structure: ColouredStructure): string {
  const { tuples, refined } = refinement(structure)
  return key(kind, refined, tuples)
}

function refinement(structure: ColouredStructure) {
  const tuples = distinct(structure.tuples)
  const incidence = incidenceOf(structure.n, tuples)
  const levels = [...new Set(structure.colours)].sort((a, b) => a - b)
  const start = structure.colours.map((colour) => levels.indexOf(colour))
  return { tuples, incidence, refined: refine(start, tuples, incidence) }
}

/** The canonical JSON of {colours, tuples}, written at once: all of it is integers. */
function key(kind: string, colours: readonly number[], tuples: readonly Tuple[]): string {
  const sorted = [...colours].sort((a, b) => a - b)
  const signs = signatures(colours, tuples).sort(compare)
  const body = `{"colours":[${sorted.join()}],"tuples":[${signs.map((sign) => `[${sign.join()}]`).join()}]}`
  return hex(sha256(enc('touchstone/canon/1', kind, body))).slice(0, 32)
}

const signatures = (colours: readonly number[], tuples: readonly Tuple[]): number[][] =>
  tuples.map((tuple) => tuple.map((value, i) => (i === 0 ? value : (colours[value] as number))))

function distinct(tuples: readonly Tuple[]): Tuple[] {
  return [...new Map(tuples.map((tuple) => [tuple.join(), tuple])).values()]
}

/** For every vertex, the tuples it is in and its places there, flattened: tuple, place, tuple, place, ... */
function incidenceOf(n: number, tuples: readonly Tuple[]): number[][] {
  const incidence: number[][] = Array.from({ length: n }, () => [])
  for (const [t, tuple] of tuples.entries())
    for (let place = 1; place < tuple.length; place++) (incidence[tuple[place] as number] as number[]).push(t, place)
  return incidence
}

/** Lists of integers compare lexicographically, a prefix first. */
function compare(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return (a[i] as number) - (b[i] as number)
  return a.length - b.length
}

const countOf = (colours: readonly number[]): number => new Set(colours).size

/**
 * Colour refinement. A vertex's new colour is the rank of [colour, sorted (rank of tuple signature, place) pairs]; cells
 * are already in the order of their colours, so only cells of two or more need their signatures.
 */
function refine(
  start: readonly number[],
  tuples: readonly Tuple[],
  incidence: readonly (readonly number[])[],
): number[] {
  let colours = [...start]
  let count = countOf(colours)
  for (;;) {
    const tupleRank = rankTuples(colours, tuples)
    const cells = cellsOf(colours)
    const next = new Array<number>(colours.length).fill(0)
    let rank = 0
    for (const cell of cells) {
      if (cell.length === 1) {
        next[cell[0] as number] = rank++
        continue
      }
      const signed = cell.map((vertex) => ({ vertex, sign: signOf(incidence[vertex] as readonly number[], tupleRank) }))
      signed.sort((a, b) => compare(a.sign, b.sign))
      for (const [i, { vertex, sign }] of signed.entries()) {
        if (i > 0 && compare((signed[i - 1] as { sign: Float64Array }).sign, sign) !== 0) rank++
        next[vertex] = rank
      }
      rank++
    }
    colours = next
    if (rank === count) return colours
    count = rank
  }
}

/** Vertices by colour, colours ascending. */
function cellsOf(colours: readonly number[]): number[][] {
  const cells: number[][] = []
  for (const [vertex, colour] of colours.entries()) {
    cells[colour] ??= []
    ;(cells[colour] as number[]).push(vertex)
  }
  return cells.filter((cell) => cell !== undefined)
}

/** Most places a tuple may have. */
const maxPlaces = 64

/** A pair (rank, place) is one number, so that lists of pairs compare as lists of numbers. */
function signOf(places: readonly number[], tupleRank: Float64Array): Float64Array {
  const sign = new Float64Array(places.length / 2)
  for (let i = 0; i < sign.length; i++)
    sign[i] = (tupleRank[places[2 * i] as number] as number) * maxPlaces + (places[2 * i + 1] as number)
  return sign.sort()
}

/** The rank of every tuple's signature among the distinct ones. */
function rankTuples(colours: readonly number[], tuples: readonly Tuple[]): Float64Array {
  const signs = signatures(colours, tuples)
  const order = signs.map((_, i) => i).sort((a, b) => compare(signs[a] as number[], signs[b] as number[]))
  const out = new Float64Array(signs.length)
  let rank = -1
  for (const [at, i] of order.entries()) {
    const before = order[at - 1]
    if (before === undefined || compare(signs[before] as number[], signs[i] as number[]) !== 0) rank++
    out[i] = rank
  }
  return out
}

/** The discrete colouring with the least encoding, or null after too many leaves; and how many there were. */
function search(
  refined: readonly number[],
  tuples: readonly Tuple[],
  incidence: readonly (readonly number[])[],
): { readonly best: number[] | null; readonly leaves: number } {
  const known = new Set(tuples.map((tuple) => tuple.join()))
  let leaves = 0
  let best: { readonly colours: number[]; readonly encoding: number[][] } | null = null

  function descend(colours: number[]): boolean {
    const cell = smallestCell(colours)
    if (cell === null) {
      if (++leaves > maxLeaves) return false
      const encoding = signatures(colours, tuples).sort(compare)
      if (best === null || compareLists(encoding, best.encoding) < 0) best = { colours, encoding }
      return true
    }
    return twinClasses(cell, tuples, incidence, known).every((vertex) =>
      descend(refine(individualised(colours, vertex), tuples, incidence)),
    )
  }

  const done = descend([...refined])
  return { best: done && best !== null ? (best as { readonly colours: number[] }).colours : null, leaves }
}

function compareLists(a: readonly number[][], b: readonly number[][]): number {
  for (let i = 0; i < a.length; i++) {
    const order = compare(a[i] as number[], b[i] as number[])
    if (order !== 0) return order
  }
  return 0
}

/** The smallest cell with several vertices, and of equal ones the one with the least colour; null: every cell has one vertex. */
const smallestCell = (colours: readonly number[]): readonly number[] | null =>
  cellsOf(colours).reduce(
    (best: readonly number[] | null, cell) =>
      cell.length > 1 && (best === null || cell.length < best.length) ? cell : best,
    null,
  )

/** One vertex for each set of vertices that may be swapped without changing the structure. */
function twinClasses(
  cell: readonly number[],
  tuples: readonly Tuple[],
  incidence: readonly (readonly number[])[],
  known: ReadonlySet<string>,
): number[] {
  const representatives: number[] = []
  for (const vertex of cell)
    if (!representatives.some((other) => areTwins(vertex, other, tuples, incidence, known)))
      representatives.push(vertex)
  return representatives
}

function areTwins(
  u: number,
  v: number,
  tuples: readonly Tuple[],
  incidence: readonly (readonly number[])[],
  known: ReadonlySet<string>,
): boolean {
  for (const vertex of [u, v]) {
    const places = incidence[vertex] as readonly number[]
    for (let i = 0; i < places.length; i += 2) {
      const tuple = tuples[places[i] as number] as Tuple
      const swapped = tuple.map((value, at) => (at === 0 ? value : value === u ? v : value === v ? u : value))
      if (!known.has(swapped.join())) return false
    }
  }
  return true
}

/** The vertex goes before the rest of its cell. */
function individualised(colours: readonly number[], vertex: number): number[] {
  const own = colours[vertex] as number
  return colours.map((colour, other) => (colour < own || other === vertex ? colour : colour + 1))
}
