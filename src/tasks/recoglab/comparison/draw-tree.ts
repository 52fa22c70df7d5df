import { coin, pick } from '../../../core/random.ts'
import type { Stream } from '../../../core/stream.ts'
import type { Streams } from '../../../core/task.ts'
import { drawTwins } from '../../../core/twins.ts'
import { randomTree } from '../../../graphs/generate.ts'
import { type Edge, type Graph, neighbours } from '../../../graphs/graph.ts'
import { distancesFrom, shortestPath } from '../../../graphs/search.ts'
import { walkOrder } from '../common/walk.ts'
import type { Config } from './config.ts'
import { countsAround } from './counts.ts'
import type { Statement } from './question.ts'

/** How many trees to try for one that has the pair asked for, and how many of these for statements that look alike. */
const TREES = 4000
const FITTING = 60
/** How often every way is oriented anew on one tree. */
const ORIENTATIONS = 100

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
    const pairs = pairsAt(lists, distance, matched)
    if (pairs.length === 0) continue
    fitting++
    const asked = pick(stream, pairs)
    const path = shortestPath(lists, ...asked) as number[]
    const oriented = orienter(stream, tree, lists, path, matched)
    const turned = coin(stream)
    if (!matched)
      return { asked, posed: (way) => ({ statements: shown(config, oriented(way), stream), turned: false }) }
    const alike = drawTwins(ways, ORIENTATIONS, oriented, (statements) =>
      countsAround(config.entities, statements, distance < 3 ? [] : asked),
    )
    if (alike === null) continue
    const opposite = { up: 'down', down: 'up', apart: 'apart' } as const
    return {
      asked,
      posed: (way) => ({
        statements: shown(config, alike.get(turned ? opposite[way] : way) as Statement[], stream),
        turned,
      }),
    }
  }
  return null
}

const shown = (config: Config, statements: readonly Statement[], stream: Stream): readonly Statement[] =>
  walkOrder(config.entities, statements, stream)

/**
 * Ordered pairs at a distance. Matched: both have exactly two neighbours, and of each of them these have equally many, so that
 * the side on which the other lies does not show.
 */
function pairsAt(lists: Lists, distance: number, matched: boolean): Edge[] {
  const found: Edge[] = []
  const fits = (v: number, next: number): boolean =>
    distance < 3 || lists[next]?.length === lists[otherSide(lists, v, next)]?.length
  for (let u = 0; u < lists.length; u++) {
    if (matched && lists[u]?.length !== 2) continue
    const from = distancesFrom(lists, u)
    for (let v = 0; v < lists.length; v++) {
      if (from[v] !== distance || (matched && lists[v]?.length !== 2)) continue
      if (!matched) found.push([u, v])
      else {
        const path = shortestPath(lists, u, v) as number[]
        if (fits(u, path[1] as number) && fits(v, path.at(-2) as number)) found.push([u, v])
      }
    }
  }
  return found
}

const otherSide = (lists: Lists, v: number, next: number): number =>
  (lists[v] as readonly number[]).find((other) => other !== next) as number

/** Orientations of the tree by the way: what is far from it is drawn once, what is near each time anew. */
function orienter(
  stream: Stream,
  tree: Graph,
  lists: Lists,
  path: readonly number[],
  matched: boolean,
): (way: Way) => readonly Statement[] {
  const n = tree.n
  const key = (u: number, v: number) => (u < v ? u * n + v : v * n + u)
  const turned = ([u, v]: Edge): Statement => (coin(stream) ? [u, v] : [v, u])
  const [first, second] = [path[0] as number, path.at(-1) as number]
  const [next, last] = [path[1] as number, path.at(-2) as number]
  const near = new Set(matched ? [...path, otherSide(lists, first, next), otherSide(lists, second, last)] : path)
  const far = new Map(
    tree.edges.flatMap((edge) =>
      near.has(edge[0]) || near.has(edge[1]) ? [] : [[key(...edge), turned(edge)] as const],
    ),
  )
  return (way) => {
    const steps = new Map(far)
    const up = directions(stream, path.length - 1, way)
    path.slice(1).forEach((v, j) => {
      const u = path[j] as number
      steps.set(key(u, v), up[j] === true ? [u, v] : [v, u])
    })
    if (matched)
      for (const [end, inner] of [
        [first, next],
        [second, last],
      ] as const) {
        const outer = otherSide(lists, end, inner)
        const lesser = (steps.get(key(end, inner)) as Statement)[0] === end
        steps.set(key(end, outer), lesser ? [outer, end] : [end, outer])
      }
    return tree.edges.map((edge) => steps.get(key(...edge)) ?? turned(edge))
  }
}

/** For each step of the way: does it lead up? */
function directions(stream: Stream, steps: number, way: Way): readonly boolean[] {
  if (way !== 'apart') return Array.from({ length: steps }, () => way === 'up')
  for (;;) {
    const up = Array.from({ length: steps }, () => coin(stream))
    if (up.includes(true) && up.includes(false)) return up
  }
}
