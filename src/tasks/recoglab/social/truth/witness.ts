import { isArray, isObject, type Json } from '../../../../core/json.ts'
import type { Problem } from '../../../../core/task.ts'
import { distancesFrom, isWalk, neighbours, shortestPath } from '../../../../libraries/graphs/graph.ts'
import { type Answer, asksFamily, type Given, type Shared } from '../question.ts'

type P = Problem<Shared, Given, Answer>

/**
 * Messages: a way of the right length, and a height for everybody (the distance to the target) that changes by at most
 * one along each edge: together they prove that no way is shorter, and which neighbours are one lower. Generations: the
 * generation number of everybody.
 */
export function witness({ given }: P): Json {
  const { ask, people, edges, oneWay } = given
  const n = people.length
  if (asksFamily(ask)) return { levels: generations(given) }
  const lists = neighbours({ n, edges }, oneWay)
  const back = oneWay ? neighbours({ n, edges: edges.map(([u, v]) => [v, u] as const) }, true) : lists
  // Who cannot reach the target at all is put one above everybody who can.
  const height = [...distancesFrom(back, ask.to)].map((h) => (h === -1 ? n : h))
  return { way: shortestPath(lists, ask.from, ask.to), height }
}

/** Of everybody the generation, the oldest being 0. */
export function generations({ people, edges, relation }: Given): number[] {
  const around: (readonly [number, number])[][] = people.map(() => [])
  for (const [a, b] of edges) {
    const step = relation === 'child' ? -1 : 1
    around[a]?.push([b, step])
    around[b]?.push([a, -step])
  }
  const level = people.map(() => Number.NaN)
  level[0] = 0
  const queue = [0]
  for (const u of queue) {
    for (const [v, step] of around[u] as (readonly [number, number])[]) {
      if (!Number.isNaN(level[v])) continue
      level[v] = (level[u] as number) + step
      queue.push(v)
    }
  }
  const least = Math.min(...level)
  return level.map((l) => l - least)
}

/** Verifies a witness and that exactly the people in the answer are the accepted ones. */
export function check({ given, answer }: P, proof: Json): boolean {
  const { ask, people, edges, oneWay, relation } = given
  if (!isObject(proof)) return false
  const names = (accepted: readonly number[]) => {
    const wanted = new Set(accepted.map((v) => people[v] as string))
    return wanted.size === new Set(answer).size && answer.every((name) => wanted.has(name))
  }
  if (asksFamily(ask)) {
    const levels = integers(proof['levels'], people.length)
    if (levels === null) return false
    const step = relation === 'child' ? -1 : 1
    if (!edges.every(([a, b]) => (levels[b] as number) - (levels[a] as number) === step)) return false
    const wanted = ask.kind === 'oldest' ? Math.min(...levels) : Math.max(...levels)
    return names((ask.among ?? [...levels.keys()]).filter((v) => levels[v] === wanted))
  }
  const height = integers(proof['height'], people.length)
  const way = integers(proof['way'], null)
  if (height === null || way === null) return false
  const lists = neighbours({ n: people.length, edges }, oneWay)
  const start = height[ask.from] as number
  const slopes = lists.every((list, u) => list.every((v) => (height[u] as number) <= (height[v] as number) + 1))
  const proved =
    height[ask.to] === 0 &&
    slopes &&
    isWalk(lists, way) &&
    way[0] === ask.from &&
    way.at(-1) === ask.to &&
    way.length - 1 === start
  if (!proved) return false
  if (ask.kind === 'hops') return answer.length === 1 && answer[0] === String(start)
  if (ask.kind === 'path') {
    const said = answer.map((name) => people.indexOf(name))
    return said.length === way.length && said[0] === ask.from && said.at(-1) === ask.to && isWalk(lists, said)
  }
  // A neighbour lies on a shortest way exactly when its true distance is one less: heights are lower bounds, so each
  // neighbour that is one lower must lead down to the target one step at a time.
  const lower = (lists[ask.from] as number[]).filter((v) => height[v] === start - 1)
  return lower.every((v) => descends(lists, height, v)) && names(lower)
}

function descends(lists: readonly (readonly number[])[], height: readonly number[], from: number): boolean {
  let at = from
  while ((height[at] as number) > 0) {
    const down = (lists[at] as readonly number[]).find((v) => (height[v] as number) === (height[at] as number) - 1)
    if (down === undefined) return false
    at = down
  }
  return true
}

function integers(value: Json | undefined, length: number | null): readonly number[] | null {
  if (value === undefined || !isArray(value) || (length !== null && value.length !== length)) return null
  return value.every((v) => Number.isInteger(v)) ? (value as readonly number[]) : null
}
