import type { DrawingOf } from './kinds.ts'

/** A name in its place, by its middle. */
export interface Placed {
  readonly id: number
  readonly x: number
  readonly y: number
  readonly width: number
}

export interface Layout {
  readonly nodes: readonly Placed[]
  readonly width: number
  readonly height: number
}

export const widthOf = (label: string): number => 18 + 7.2 * label.length

/** Pixels from ring to ring, and between names of a ring. */
const STEP = 62
/** Half the height of the box of a name, and what is left free about it. */
const [HALF, FREE] = [12, 3]
/** Rotations and widths of the rings that are tried. */
const TURNS = Array.from({ length: 36 }, (_, k) => (2 * Math.PI * k) / 36)
const WIDER = [1, 1.3, 1.7]
const MAX = 20_000

/**
 * Rings by distance from the first marked name (the first of all where none is), turned against one another so that no line runs behind a
 * name that it has nothing to do with: it would say what nobody stated.
 */
export function rings({ nodes, edges }: DrawingOf<'graph'>): Layout {
  const near = new Map<number, number[]>(nodes.map(({ id }) => [id, []]))
  for (const { from, to } of edges) {
    near.get(from)?.push(to)
    near.get(to)?.push(from)
  }
  const root = (nodes.find(({ marked }) => marked) ?? nodes[0])?.id
  const ring = new Map<number, number>(root === undefined ? [] : [[root, 0]])
  for (const id of ring.keys())
    for (const next of near.get(id) ?? []) if (!ring.has(next)) ring.set(next, (ring.get(id) ?? 0) + 1)
  const outside = Math.max(0, ...ring.values()) + 1
  // Ordered along the path from the middle outwards, so that names are near their neighbours.
  const reached = [...ring.keys(), ...nodes.map(({ id }) => id).filter((id) => !ring.has(id))]
  const byRing = Map.groupBy(reached, (id) => ring.get(id) ?? outside)
  const widths = new Map(nodes.map(({ id, label }) => [id, widthOf(label)]))
  let reach = 0
  const radii = new Map(
    [...byRing]
      .sort(([a], [b]) => a - b)
      .map(([at, ids]) => {
        reach = at === 0 ? 0 : Math.max(reach + STEP, (ids.length * STEP) / (2 * Math.PI))
        return [at, reach] as const
      }),
  )
  const turned = (twist: number, wide: number): readonly Placed[] =>
    [...byRing].flatMap(([at, ids]) =>
      ids.map((id, i) => {
        const turn = (2 * Math.PI * (i + 0.5 * (at % 2))) / ids.length + at * twist
        const r = wide * (radii.get(at) ?? 0)
        return { id, x: r * 1.25 * Math.cos(turn), y: r * Math.sin(turn), width: widths.get(id) ?? 0 }
      }),
    )
  let best = turned(0, 1)
  let least = faults(best, edges)
  const tried =
    nodes.length * (nodes.length + edges.length) > MAX
      ? []
      : WIDER.flatMap((wide) => TURNS.map((turn) => [turn, wide] as const))
  for (const [turn, wide] of tried) {
    if (least === 0) break
    const other = turned(turn, wide)
    const found = faults(other, edges)
    if (found < least) [best, least] = [other, found]
  }
  return framed(best)
}

/** Lines behind names of others, and names that cover one another. */
export function faults(placed: readonly Placed[], edges: DrawingOf<'graph'>['edges']): number {
  const at = new Map(placed.map((one) => [one.id, one]))
  let count = 0
  for (const { from, to } of edges) {
    const [a, b] = [at.get(from), at.get(to)]
    if (a !== undefined && b !== undefined)
      for (const one of placed) if (one !== a && one !== b && crosses(a, b, one)) count++
  }
  for (const [i, a] of placed.entries())
    for (const b of placed.slice(i + 1))
      if (Math.abs(a.x - b.x) < (a.width + b.width) / 2 + FREE && Math.abs(a.y - b.y) < 2 * HALF + FREE) count++
  return count
}

/** Does the line from `a` to `b` run through the box of a name? By its part inside the box, one axis after the other. */
function crosses(a: Placed, b: Placed, { x, y, width }: Placed): boolean {
  let [from, to] = [0, 1]
  for (const [start, delta, low, high] of [
    [a.x, b.x - a.x, x - width / 2 - FREE, x + width / 2 + FREE],
    [a.y, b.y - a.y, y - HALF - FREE, y + HALF + FREE],
  ] as const) {
    if (delta === 0) {
      if (start <= low || start >= high) return false
      continue
    }
    const ends = [(low - start) / delta, (high - start) / delta]
    from = Math.max(from, Math.min(...ends))
    to = Math.min(to, Math.max(...ends))
  }
  return from < to
}

function framed(placed: readonly Placed[]): Layout {
  const left = Math.min(...placed.map(({ x, width }) => x - width / 2)) - 6
  const right = Math.max(...placed.map(({ x, width }) => x + width / 2)) + 6
  const top = Math.min(...placed.map(({ y }) => y)) - 20
  const bottom = Math.max(...placed.map(({ y }) => y)) + 20
  return {
    nodes: placed.map((node) => ({ ...node, x: node.x - left, y: node.y - top })),
    width: Math.max(60, right - left),
    height: Math.max(40, bottom - top),
  }
}
