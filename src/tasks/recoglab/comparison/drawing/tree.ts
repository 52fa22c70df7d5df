import { coin, pick, shuffle } from '../../../../core/random.ts'
import type { Stream } from '../../../../core/streams.ts'
import type { RandomStreams } from '../../../../core/task.ts'
import { randomTree } from '../../../../libraries/graphs/generate.ts'
import { distancesFrom, type Edge, neighbours, shortestPath } from '../../../../libraries/graphs/graph.ts'
import { walkOrder } from '../../common/walk.ts'
import type { Config } from '../config.ts'
import type { Statement } from '../question.ts'
import { fill, type Growth, lead, level, renumbered, say, someone, upwards } from './growth.ts'
import { mixedSteps } from './mixed-steps.ts'

/** How many trees to try for one that has the pair asked for. */
const TREES = 6000
/** How often to begin anew where what has to be there is more than the people there are. */
const GROWTHS = 100

/** Does the way from the first to the second lead up, down, or both? */
export type Way = 'up' | 'down' | 'apart'

/** Statements, and two who are asked about, by what is true of them. */
export interface Posable {
  posed(way: Way): {
    readonly statements: readonly Statement[]
    readonly asked: readonly [first: number, second: number]
  }
}

/** A tree that has a pair at the distance. */
export function drawTree(config: Config, distance: number, source: RandomStreams): Posable | null {
  const stream = source.stream('tree')
  return config.endpoints === 'matched' ? alike(config, distance, stream) : free(config, distance, stream)
}

/**
 * One tree for every answer: only who is asked about differs. A way leads up from one to another; turned round it leads down;
 * and a third is as far from the first by a way that turns. All three stand in two statements, once as the lesser and once as
 * the greater, and what is said of those next to them is the same for all three (unless they are so close that their
 * neighbours are the proof). So neither what is said all over nor what is said next to the two tells anything.
 */
function alike(config: Config, distance: number, stream: Stream): Posable | null {
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
      const apart = turning(growth, { above: at(2), below: at(0) }, distance, stream)
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
    vary(growth, config.entities, [above, under], stream)
    fill(growth, config.entities, new Set(distance >= 3 ? [...asked, ...above, ...under] : asked), stream)
    const named = renumbered(growth, stream)
    const statements = growth.statements.map(([u, v]): Statement => [named[u] as number, named[v] as number])
    const told = walkOrder(config.entities, statements, stream)
    const pair = (a: number, b: number) => [named[a] as number, named[b] as number] as const
    const apart = coin(stream) ? pair(first, third) : pair(third, first)
    return {
      posed: (way) => ({
        statements: told,
        asked: way === 'up' ? pair(first, second) : way === 'down' ? pair(second, first) : apart,
      }),
    }
  }
  return null
}

/** A third who is `distance` statements from the first, above and below whom are told, by a way that leads up and down. */
function turning(
  growth: Growth,
  { above, below }: { readonly above: number; readonly below: number },
  distance: number,
  stream: Stream,
): { readonly third: number; readonly above: number; readonly below: number } {
  const third = someone(growth)
  if (distance === 2) {
    // One person between the two, who is more than both or less than both.
    const other = someone(growth)
    const turnsAbove = coin(stream)
    if (turnsAbove) {
      say(growth, third, above)
      say(growth, other, third)
    } else {
      say(growth, below, third)
      say(growth, third, other)
    }
    return turnsAbove ? { third, above, below: other } : { third, above: other, below }
  }
  const [over, under] = [someone(growth), someone(growth)]
  say(growth, third, over)
  say(growth, under, third)
  // The first step leads up from the first, the last one up to the third; between them any that do not all lead one way.
  const [begins, ends] = [coin(stream), coin(stream)]
  const steps = mixedSteps(stream, distance - 2, begins === ends ? begins : null)
  lead(growth, begins ? above : below, ends ? under : over, steps)
  return { third, above: over, below: under }
}

/** With room to spare, one more above or below everybody next to those who are asked about. */
function vary(growth: Growth, n: number, sides: readonly (readonly number[])[], stream: Stream): void {
  for (const side of shuffle(stream, sides)) {
    const distinct = [...new Set(side)]
    if (growth.people + distinct.length > n || !coin(stream)) continue
    const greater = coin(stream)
    for (const v of distinct) {
      if (greater) say(growth, v, someone(growth))
      else say(growth, someone(growth), v)
    }
  }
}

/** A uniform tree and a uniform pair, as in the original: every statement by a coin, but for the way between the two. */
function free(config: Config, distance: number, stream: Stream): Posable | null {
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
