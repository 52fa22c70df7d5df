import { coin, shuffle } from '../../../core/random.ts'
import type { Stream } from '../../../core/stream.ts'
import type { Streams } from '../../../core/task.ts'
import { drawTwins } from '../../../core/twins.ts'
import { randomTree } from '../../../graphs/generate.ts'
import { type Edge, type Graph, neighbours } from '../../../graphs/graph.ts'
import { distancesFrom, shortestPath } from '../../../graphs/search.ts'
import { walkOrder } from '../common/walk.ts'
import type { Config } from './config.ts'
import { countsAround } from './counts.ts'
import {
  type Bits,
  countsHash,
  mixture,
  type Orientation,
  orientation,
  statementsOf,
  type Turnable,
} from './orientation.ts'
import type { Statement } from './question.ts'

/** How many trees to try for one that has the pair asked for, and how many of these for statements that look alike. */
const TREES = 6000
const FITTING = 400
/** How often every way is oriented anew on one tree, by entity. */
const ORIENTATIONS = 6

/** Does the way from the first to the second lead up, down, or both? */
export type Way = 'up' | 'down' | 'apart'

/** Two who are asked about, and statements by what is true of them. */
export interface Posable {
  readonly asked: readonly [first: number, second: number]
  /** `turned`: they are asked about the other way round. */
  posed(way: Way): { readonly statements: readonly Statement[]; readonly turned: boolean }
}

type Lists = readonly (readonly number[])[]

/**
 * A tree that has a pair at the distance, the pair uniform among those that fit. Matched: each of the two stands in two
 * statements, once as the lesser and once as the greater, and orientations are drawn for all answers until they agree in how
 * often people are the lesser and the greater, all over and next to the two (unless these are so close that their neighbours
 * are the proof). Otherwise by coin but for the way between the two.
 */
export function drawTree(config: Config, distance: number, source: Streams): Posable | null {
  const stream = source.stream('tree')
  const matched = config.endpoints === 'matched'
  const ways: readonly Way[] = config.ask === 'feasibility' ? ['up', 'down', 'apart'] : ['up', 'down']
  for (let tries = 0, fitting = 0; tries < TREES && fitting < FITTING; tries++) {
    const tree = randomTree(stream, config.entities)
    const lists = neighbours(tree)
    const pairs = shuffle(stream, pairsAt(lists, distance, matched))
    const path = pathOf(lists, pairs, matched && distance >= 3)
    if (path === null) continue
    fitting++
    const asked = [path[0] as number, path.at(-1) as number] as const
    const edges = turnable(stream, tree, lists, path, matched)
    const lead = leader(stream, distance, matched)
    const draw = (way: Way) => orientation(edges, lead(way), stream)
    const pose = (drawn: Orientation) => walkOrder(config.entities, statementsOf(edges, drawn), stream)
    if (!matched) return { asked, posed: (way) => ({ statements: pose(draw(way)), turned: false }) }
    const near = distance < 3 ? [] : asked
    const alike = drawTwins(ways, ORIENTATIONS * config.entities, draw, countsHash(edges, near))
    if (alike === null || !equal(alike, (drawn) => countsAround(config.entities, statementsOf(edges, drawn), near)))
      continue
    const turned = coin(stream)
    return {
      asked,
      posed: (way) => ({ statements: pose(alike.get(turned ? opposite[way] : way) as Orientation), turned }),
    }
  }
  return null
}

const opposite = { up: 'down', down: 'up', apart: 'apart' } as const

const equal = <K, T>(alike: ReadonlyMap<K, T>, signature: (drawn: T) => string): boolean =>
  new Set([...alike.values()].map(signature)).size === 1

/** Ordered pairs at a distance; matched: both have exactly two neighbours. */
function pairsAt(lists: Lists, distance: number, matched: boolean): Edge[] {
  const found: Edge[] = []
  for (let u = 0; u < lists.length; u++) {
    if (matched && lists[u]?.length !== 2) continue
    const from = distancesFrom(lists, u)
    for (let v = 0; v < lists.length; v++)
      if (from[v] === distance && (!matched || lists[v]?.length === 2)) found.push([u, v])
  }
  return found
}

/**
 * The way between the first pair that fits: of each of the two, both neighbours have equally many neighbours where that is
 * asked for, so that the side on which the other lies does not show.
 */
function pathOf(lists: Lists, pairs: readonly Edge[], even: boolean): readonly number[] | null {
  const fits = (v: number, next: number): boolean => lists[next]?.length === lists[otherSide(lists, v, next)]?.length
  for (const [u, v] of pairs) {
    const path = shortestPath(lists, u, v) as number[]
    if (!even || (fits(u, path[1] as number) && fits(v, path.at(-2) as number))) return path
  }
  return null
}

const otherSide = (lists: Lists, v: number, next: number): number =>
  (lists[v] as readonly number[]).find((other) => other !== next) as number

/** The edges of the way and, matched, the outer ones of its ends lead; those near are free, those far away are drawn now. */
function turnable(
  stream: Stream,
  { n, edges }: Graph,
  lists: Lists,
  path: readonly number[],
  matched: boolean,
): Turnable {
  const [first, second] = [path[0] as number, path.at(-1) as number]
  const way = path.slice(1).map((v, i): Edge => [path[i] as number, v])
  const before = otherSide(lists, first, path[1] as number)
  const after = otherSide(lists, second, path.at(-2) as number)
  const outer: readonly Edge[] = matched
    ? [
        [before, first],
        [second, after],
      ]
    : []
  const leads = new Set([...way, ...outer].map(([u, v]) => edgeKey(u, v)))
  const close = new Set(matched ? [...path, before, after] : path)
  const others = edges.filter(([u, v]) => !leads.has(edgeKey(u, v)))
  const isNear = ([u, v]: Edge) => close.has(u) || close.has(v)
  return {
    n,
    leading: [...way, ...outer],
    free: others.filter(isNear),
    fixed: others.filter((edge) => !isNear(edge)).map(([u, v]): Statement => (coin(stream) ? [u, v] : [v, u])),
  }
}

const edgeKey = (u: number, v: number): string => (u < v ? `${u} ${v}` : `${v} ${u}`)

/**
 * Which leading edges go as they stand. Up and down: all or none; apart: any mixture. Matched: the outer statements lead on as
 * the way does at its ends.
 */
function leader(stream: Stream, steps: number, matched: boolean): (way: Way) => Bits {
  const length = matched ? steps + 2 : steps
  const [none, all] = [new Uint8Array(length), new Uint8Array(length).fill(1)]
  return (way) => {
    if (way !== 'apart') return way === 'up' ? all : none
    const mixed = mixture(stream, length, steps)
    if (matched) {
      mixed[steps] = mixed[0] as number
      mixed[steps + 1] = mixed[steps - 1] as number
    }
    return mixed
  }
}
