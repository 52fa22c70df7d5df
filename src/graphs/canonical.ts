import { canonicalJson, enc, hex, sha256 } from '../core/index.ts'

/** A relation and the vertices it holds between, in order: `[relation, v1, .., vk]`. */
export type Tuple = readonly number[]

/** Vertices 0..n-1 with colours, and tuples over them. */
export interface ColouredStructure {
  readonly n: number
  readonly colours: readonly number[]
  readonly tuples: readonly Tuple[]
}

export interface Canonical {
  /** 32 hex digits, equal for isomorphic structures; not complete: a few others share it. */
  readonly invariant: string
  /** 32 hex digits, equal just for isomorphic structures; null where the search would branch too much. */
  readonly form: string | null
  /** Vertex -> its place in the canonical order; null with `form`. */
  readonly labelling: readonly number[] | null
}

/** Leaves of the search beyond which only the invariant is given. */
const mostLeaves = 2000

/**
 * The canonical form of a coloured relational structure (integrity 5.1): colour refinement, then individualisation of
 * the smallest cell, one vertex a twin class, keeping the least encoding. `kind` names what the structure encodes.
 */
export function canonical(kind: string, structure: ColouredStructure): Canonical {
  const tuples = distinct(structure.tuples)
  const incidence = incidenceOf(structure.n, tuples)
  const refined = refine(ranks(structure.colours.map((colour) => [colour])), tuples, incidence)
  const invariant = key(kind, refined, tuples)
  const best = search(refined, tuples, incidence)
  return { invariant, form: best === null ? null : key(kind, best, tuples), labelling: best }
}

function key(kind: string, colours: readonly number[], tuples: readonly Tuple[]): string {
  const body = canonicalJson({
    colours: [...colours].sort((a, b) => a - b),
    tuples: signatures(colours, tuples).sort(compare),
  })
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

/** Integer arrays compare lexicographically, a prefix first. */
function compare(a: readonly number[], b: readonly number[]): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return (a[i] as number) - (b[i] as number)
  return a.length - b.length
}

/** The rank of each array among the distinct ones. */
function ranks(list: readonly (readonly number[])[]): number[] {
  const order = list.map((_, i) => i).sort((a, b) => compare(list[a] as number[], list[b] as number[]))
  const out = new Array<number>(list.length).fill(0)
  let rank = -1
  for (const [at, i] of order.entries()) {
    const before = order[at - 1]
    if (before === undefined || compare(list[before] as number[], list[i] as number[]) !== 0) rank++
    out[i] = rank
  }
  return out
}

const countOf = (colours: readonly number[]): number => new Set(colours).size

function refine(
  start: readonly number[],
  tuples: readonly Tuple[],
  incidence: readonly (readonly number[])[],
): number[] {
  let colours = [...start]
  for (let count = countOf(colours); ; ) {
    const tupleRank = ranks(signatures(colours, tuples))
    const next = ranks(
      incidence.map((places, vertex) => {
        const pairs: [number, number][] = []
        for (let i = 0; i < places.length; i += 2)
          pairs.push([tupleRank[places[i] as number] as number, places[i + 1] as number])
        pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1])
        return [colours[vertex] as number, ...pairs.flat()]
      }),
    )
    const grown = countOf(next)
    colours = next
    if (grown === count) return colours
    count = grown
  }
}

/** The discrete colouring with the least encoding, or null after too many leaves. */
function search(
  refined: readonly number[],
  tuples: readonly Tuple[],
  incidence: readonly (readonly number[])[],
): number[] | null {
  const known = new Set(tuples.map((tuple) => tuple.join()))
  let leaves = 0
  let best: { readonly colours: number[]; readonly encoding: number[][] } | null = null

  function descend(colours: number[]): boolean {
    const cell = smallestCell(colours)
    if (cell === null) {
      if (++leaves > mostLeaves) return false
      const encoding = signatures(colours, tuples).sort(compare)
      if (best === null || compareLists(encoding, best.encoding) < 0) best = { colours, encoding }
      return true
    }
    return twinClasses(cell, tuples, incidence, known).every((vertex) =>
      descend(refine(individualised(colours, vertex), tuples, incidence)),
    )
  }

  const done = descend([...refined])
  return done && best !== null ? (best as { readonly colours: number[] }).colours : null
}

function compareLists(a: readonly number[][], b: readonly number[][]): number {
  for (let i = 0; i < a.length; i++) {
    const order = compare(a[i] as number[], b[i] as number[])
    if (order !== 0) return order
  }
  return 0
}

function smallestCell(colours: readonly number[]): number[] | null {
  const cells = new Map<number, number[]>()
  for (const [vertex, colour] of colours.entries()) {
    const cell = cells.get(colour)
    if (cell === undefined) cells.set(colour, [vertex])
    else cell.push(vertex)
  }
  let best: number[] | null = null
  let bestColour = 0
  for (const [colour, cell] of cells) {
    if (cell.length < 2) continue
    if (best === null || cell.length < best.length || (cell.length === best.length && colour < bestColour)) {
      best = cell
      bestColour = colour
    }
  }
  return best
}

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
const individualised = (colours: readonly number[], vertex: number): number[] =>
  ranks(colours.map((colour, other) => [colour, other === vertex ? 0 : 1]))
