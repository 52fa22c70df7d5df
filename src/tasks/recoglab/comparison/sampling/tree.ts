import { coin, pick, shuffle } from '../../../../core/random.ts'
import type { Stream } from '../../../../core/streams.ts'
import type { RandomStreams } from '../../../../core/task.ts'
import { randomTree } from '../../../../libraries/graphs/generate.ts'
import { distancesFrom, type Edge, neighbours, shortestPath } from '../../../../libraries/graphs/graph.ts'
import { walkOrder } from '../../common/walk.ts'
import type { Config } from '../config.ts'
import type { Statement } from '../question.ts'
import {
  addPath,
  addStatement,
  fillToSize,
  type Growth,
  level,
  mixedSteps,
  newEntity,
  renumbered,
  upwards,
} from './growth.ts'

/** Maximum trees tried for one with a pair at the distance. */
const TREES = 6000
/** Maximum restarts where the required structure needs too many people. */
const GROWTHS = 100

/** Whether the path from the first to the second goes up, down, or both. */
export type Direction = 'up' | 'down' | 'apart'

/** Statements, and the two people of the question by what is true of them. */
export interface AskablePair {
  posed(way: Direction): {
    readonly statements: readonly Statement[]
    readonly asked: readonly [first: number, second: number]
  }
}

/** A tree that has a pair at the distance. */
export function drawTree(config: Config, distance: number, source: RandomStreams): AskablePair | null {
  const stream = source.stream('tree')
  return config.endpoints === 'matched'
    ? matchedTree(config, distance, stream)
    : unmatchedTree(config, distance, stream)
}

/**
 * One tree for every answer; only the two people of the question differ. A path leads up from first to second (down if
 * reversed); a third person is as far from the first on a path that turns. All three occur once as the lesser and once
 * as the greater, with equal counts among their neighbours (unless the neighbours are the proof), so counts reveal
 * nothing.
 */
function matchedTree(config: Config, distance: number, stream: Stream): AskablePair | null {
  for (let tries = 0; tries < GROWTHS; tries++) {
    const growth: Growth = { people: 0, statements: [] }
    const way = upwards(growth, distance + 3)
    const at = (i: number) => way[i] as number
    const [first, second] = [at(1), at(distance + 1)]
    const asked = [first, second]
    const above = [at(2), at(distance + 2)]
    const under = [at(0), at(distance)]
    let third = second
    if (config.ask === 'feasibility') {
      const apart = turningBranch(growth, { above: at(2), below: at(0) }, distance, stream)
      third = apart.third
      above.push(apart.above)
      under.push(apart.below)
      asked.push(third)
    }
    if (distance >= 3) {
      level(growth, above)
      level(growth, under)
    }
    if (growth.people > config.entities) continue
    addVariation(growth, config.entities, [above, under], stream)
    fillToSize(growth, config.entities, new Set(distance >= 3 ? [...asked, ...above, ...under] : asked), stream)
    const named = renumbered(growth, stream)
    const statements = growth.statements.map(([u, v]): Statement => [named[u] as number, named[v] as number])
    const inOrder = walkOrder(config.entities, statements, stream)
    const pair = (a: number, b: number) => [named[a] as number, named[b] as number] as const
    const apart = coin(stream) ? pair(first, third) : pair(third, first)
    return {
      posed: (way) => ({
        statements: inOrder,
        asked: way === 'up' ? pair(first, second) : way === 'down' ? pair(second, first) : apart,
      }),
    }
  }
  return null
}

/**
 * A third person at `distance` from the first, by a path that goes up and down; also returns the ones above and below.
 */
function turningBranch(
  growth: Growth,
  { above, below }: { readonly above: number; readonly below: number },
  distance: number,
  stream: Stream,
): { readonly third: number; readonly above: number; readonly below: number } {
  const third = newEntity(growth)
  if (distance === 2) {
    // One person between the two, who is more than both or less than both.
    const other = newEntity(growth)
    const turnsAbove = coin(stream)
    if (turnsAbove) {
      addStatement(growth, third, above)
      addStatement(growth, other, third)
    } else {
      addStatement(growth, below, third)
      addStatement(growth, third, other)
    }
    return turnsAbove ? { third, above, below: other } : { third, above: other, below }
  }
  const [over, under] = [newEntity(growth), newEntity(growth)]
  addStatement(growth, third, over)
  addStatement(growth, under, third)
  // The first step leads up from the first, the last one up to the third; between them any that do not all lead one way.
  const [begins, ends] = [coin(stream), coin(stream)]
  const steps = mixedSteps(stream, distance - 2, begins === ends ? begins : null)
  addPath(growth, begins ? above : below, ends ? under : over, steps)
  return { third, above: over, below: under }
}

/** If there is room: one more person above or below every neighbour. */
function addVariation(growth: Growth, n: number, sides: readonly (readonly number[])[], stream: Stream): void {
  for (const side of shuffle(stream, sides)) {
    const distinct = [...new Set(side)]
    if (growth.people + distinct.length > n || !coin(stream)) continue
    const greater = coin(stream)
    for (const v of distinct) {
      if (greater) addStatement(growth, v, newEntity(growth))
      else addStatement(growth, newEntity(growth), v)
    }
  }
}

/**
 * A uniform tree and a uniform pair, as in the original: every statement has a random direction, except on the path
 * between the two.
 */
function unmatchedTree(config: Config, distance: number, stream: Stream): AskablePair | null {
  for (let tries = 0; tries < TREES; tries++) {
    const tree = randomTree(stream, config.entities)
    const lists = neighbours(tree)
    const pairs = pairsAt(lists, distance)
    if (pairs.length === 0) continue
    const asked = pick(stream, pairs)
    const way = shortestPath(lists, ...asked) as number[]
    const steps = way.slice(1).map((v, i): Edge => [way[i] as number, v])
    const on = new Set(steps.map(edgeKey))
    const others = tree.edges
      .filter((edge) => !on.has(edgeKey(edge)))
      .map(([u, v]): Statement => (coin(stream) ? [u, v] : [v, u]))
    return {
      posed(way) {
        const ups = way === 'apart' ? mixedSteps(stream, steps.length, 'any') : steps.map(() => way === 'up')
        const led = steps.map(([u, v], i): Statement => (ups[i] === true ? [u, v] : [v, u]))
        return { statements: walkOrder(config.entities, [...led, ...others], stream), asked }
      },
    }
  }
  return null
}

function pairsAt(lists: readonly (readonly number[])[], distance: number): Edge[] {
  const found: Edge[] = []
  for (let u = 0; u < lists.length; u++) {
    const from = distancesFrom(lists, u)
    for (let v = 0; v < lists.length; v++) if (from[v] === distance) found.push([u, v])
  }
  return found
}

const edgeKey = ([u, v]: Edge): string => (u < v ? `${u} ${v}` : `${v} ${u}`)
