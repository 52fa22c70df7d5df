import { coin, pick } from '../../../../core/random.ts'
import type { Stream } from '../../../../core/streams.ts'
import type { RandomStreams } from '../../../../core/task.ts'
import { randomTree } from '../../../../libraries/graphs/generate.ts'
import { distancesFrom, type Edge, neighbours, shortestPath } from '../../../../libraries/graphs/graph.ts'
import { walkOrder } from '../../common/walk.ts'
import type { Config } from '../config.ts'
import type { Statement } from '../question.ts'
import { addStatement, type Growth, mixedSteps, newEntity, renumbered, upwards } from './growth.ts'

/** Maximum trees tried for one with a pair at the distance. */
const TREES = 6000

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
 * One tree for every answer; only the two people of the question differ. A line of people leads up from first to second
 * and goes on beyond both for half as many statements as lie between them. Where Unknown is an answer, a third person on a line
 * of its own is as far from the first, on a path that turns. What further people stand beside one of them, stand beside
 * all at the same place, or farther away than half of the path. So whoever reads fewer statements from each person than prove the answer
 * sees the same around all of them.
 */
function matchedTree(config: Config, distance: number, stream: Stream): AskablePair | null {
  const growth: Growth = { people: 0, statements: [] }
  const half = Math.ceil(distance / 2)
  const straight = upwards(growth, 2 * half + distance + 1)
  const first = half
  const second = half + distance
  const asked = [first, second]
  const lines = [first, second].map((at) => (offset: number) => straight[at + offset] as number)
  /** People who are seen from none of those asked about. */
  const beyond = [[straight[0] as number], [straight.at(-1) as number]]
  if (distance % 2 === 0) beyond.push([straight[first + half] as number])
  if (config.ask === 'feasibility') {
    const third = turningLine(growth, straight, distance, beyond)
    lines.push((offset) => third[half - 1 + offset] as number)
    asked.push(third[half - 1] as number)
  }
  if (growth.people > config.entities) return null
  // Those asked about stay once the lesser and once the greater.
  const offsets = Array.from({ length: 2 * half - 1 }, (_, i) => i - half + 1).filter((offset) => offset !== 0)
  const alike = offsets.map((offset) => lines.map((at) => at(offset)))
  fillAround(growth, config.entities, alike, beyond, stream)
  const named = renumbered(growth, stream)
  // Upside down half of the time: the third person is below, or above, both others' ends.
  const turned = coin(stream)
  const statements = growth.statements.map(([u, v]): Statement => {
    const [a, b] = turned ? [v, u] : [u, v]
    return [named[a] as number, named[b] as number]
  })
  const inOrder = walkOrder(config.entities, statements, stream)
  const [one, two, apart = one] = asked.map((v) => named[v] as number) as [number, number, number?]
  const [less, more] = turned ? [two, one] : [one, two]
  const either: readonly [number, number] = coin(stream) ? [one, apart] : [apart, one]
  return {
    posed: (way) => ({
      statements: inOrder,
      asked: way === 'up' ? [less, more] : way === 'down' ? [more, less] : either,
    }),
  }
}

/**
 * A line with a third person in it, from half - 1 below to half above, that hangs on the lower end of the first one's:
 * at an even distance both stand on one person; at an odd one the lower end of the first line stands on that of the third.
 * Whatever is said of one of these lower ends is then said of all three.
 */
function turningLine(
  growth: Growth,
  straight: readonly number[],
  distance: number,
  beyond: number[][],
): readonly number[] {
  const half = Math.ceil(distance / 2)
  const line = upwards(growth, 2 * half)
  const low = line[0] as number
  beyond.push([line.at(-1) as number])
  if (distance % 2 === 0) {
    addStatement(growth, straight[0] as number, low)
    return line
  }
  // Each low end is then below two and above one.
  const [firstLow, secondLow] = [straight[1] as number, straight[distance + 1] as number]
  for (const end of [firstLow, secondLow]) {
    const above = newEntity(growth)
    addStatement(growth, end, above)
    beyond.push([above])
  }
  const joined = growth.statements.findIndex(([u, v]) => u === straight[0] && v === firstLow)
  growth.statements[joined] = [low, firstLow]
  addStatement(growth, straight[0] as number, low)
  return line
}

/** New people beside all lines at the same place, or beyond them, until there are n. */
function fillAround(growth: Growth, n: number, alike: number[][], beyond: number[][], stream: Stream): void {
  while (growth.people < n) {
    const room = n - growth.people >= (alike[0]?.length ?? Number.POSITIVE_INFINITY)
    const places = room && coin(stream) ? alike : beyond
    const greater = coin(stream)
    places.push(
      pick(stream, places).map((beside) => {
        const next = newEntity(growth)
        if (greater) addStatement(growth, beside, next)
        else addStatement(growth, next, beside)
        return next
      }),
    )
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
