import { isArray, isObject, type Json } from '../../../../core/json.ts'
import type { Problem } from '../../../../core/task.ts'
import { topologicalOrder } from '../../../../libraries/graphs/closure.ts'
import { shortestPath } from '../../../../libraries/graphs/graph.ts'
import type { Given, Shared, Statement } from '../question.ts'

type P = Problem<Shared, Given, string>

/**
 * Yes and No: statements (their numbers) that lead from the lesser to the greater. Unknown: two linear orders of all
 * entities that fit every statement and disagree about the two. Consistent: one such order. Inconsistent: statements
 * that run in a circle.
 */
export function witness(problem: P): Json {
  const { entities, statements, ask } = problem.given
  const graph = { n: entities.length, edges: statements }
  if (ask.kind === 'consistency') {
    const order = topologicalOrder(graph)
    return order !== null ? { order } : { circle: circle(statements, entities.length) }
  }
  if (problem.answer === 'Unknown') {
    const orders = [[ask.first, ask.second] as const, [ask.second, ask.first] as const].map((extra) =>
      topologicalOrder({ n: graph.n, edges: [...statements, extra] }),
    )
    return { orders: orders as Json }
  }
  const up = (ask.word === 'greater') === (problem.answer === 'Yes')
  const [low, high] = up ? [ask.second, ask.first] : [ask.first, ask.second]
  return { path: along(statements, entities.length, low, high) }
}

/** The numbers of the statements along a shortest way up, or null. */
function along(statements: readonly Statement[], n: number, low: number, high: number): number[] | null {
  const lists: number[][] = Array.from({ length: n }, () => [])
  for (const [lesser, greater] of statements) lists[lesser]?.push(greater)
  const path = shortestPath(lists, low, high)
  if (path === null) return null
  return path.slice(1).map((v, i) => statements.findIndex(([a, b]) => a === path[i] && b === v))
}

function circle(statements: readonly Statement[], n: number): number[] | null {
  for (let i = 0; i < statements.length; i++) {
    const [lesser, greater] = statements[i] as Statement
    const back = along(statements, n, greater, lesser)
    if (back !== null) return [i, ...back]
  }
  return null
}

/** Verifies a witness without search: one pass over it. */
export function check(problem: P, proof: Json): boolean {
  if (!isObject(proof)) return false
  const { entities, statements, ask } = problem.given
  const path = numbers(proof['path'])
  const order = numbers(proof['order'])
  const loop = numbers(proof['circle'])
  if (ask.kind === 'consistency') {
    if (problem.answer === 'Consistent') return order !== null && fits(order, statements, entities.length) !== null
    return problem.answer === 'Inconsistent' && loop !== null && linked(loop, statements, null)
  }
  const up = (ask.word === 'greater') === (problem.answer === 'Yes')
  const ends = up ? ([ask.second, ask.first] as const) : ([ask.first, ask.second] as const)
  if (problem.answer !== 'Unknown') return path !== null && linked(path, statements, ends)
  const orders = proof['orders']
  if (orders === undefined || !isArray(orders) || orders.length !== 2) return false
  const [one, two] = orders.map((value) => {
    const list = numbers(value)
    return list === null ? null : fits(list, statements, entities.length)
  })
  if (!one || !two) return false
  const below = (rank: Int32Array) => (rank[ask.first] as number) < (rank[ask.second] as number)
  return below(one) !== below(two)
}

function numbers(value: Json | undefined): readonly number[] | null {
  return value !== undefined && isArray(value) && value.every((v) => Number.isInteger(v)) ? (value as number[]) : null
}

/** Ranks of a linear order of all entities that fits every statement, or null. */
function fits(order: readonly number[], statements: readonly Statement[], n: number): Int32Array | null {
  const rank = new Int32Array(n).fill(-1)
  order.forEach((v, i) => {
    if (v >= 0 && v < n) rank[v] = i
  })
  if (order.length !== n || rank.includes(-1)) return null
  return statements.every(([u, v]) => (rank[u] as number) < (rank[v] as number)) ? rank : null
}

/** Do the statements follow one another, from one end to the other (or round, for null)? */
function linked(
  path: readonly number[],
  statements: readonly Statement[],
  ends: readonly [number, number] | null,
): boolean {
  const steps = path.map((i) => statements[i])
  const first = steps[0]
  const last = steps.at(-1)
  if (first === undefined || last === undefined || steps.includes(undefined)) return false
  const [start, stop] = ends ?? [first[0], first[0]]
  if (first[0] !== start || last[1] !== stop) return false
  return steps.every((step, i) => i === 0 || steps[i - 1]?.[1] === step?.[0])
}
