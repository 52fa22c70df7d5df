import {
  type CheckedStep,
  type CheckedSteps,
  fullOnly,
  isArray,
  isObject,
  type Json,
  memoize,
  optionalStep,
  type Problem,
  type SolutionStep,
} from '../../../core/index.ts'
import { closure, topologicalOrder } from '../../../libraries/graphs/closure.ts'
import { shortestPath } from '../../../libraries/graphs/graph.ts'
import { isAsserted, listedAfter } from '../../../libraries/language/asserted.ts'
import { goldLine } from '../common/answers.ts'
import { inOrder, integers, spanOf } from '../common/steps.ts'
import { comparedIn, type Given, phrase, type Question, type Shared, type Statement, words } from './question.ts'

type P = Problem<Shared, Given, string>

/**
 * Yes and No: numbers of the statements on a path from lesser to greater. Unknown: two linear orders that fit every
 * statement and disagree about the two. Consistent: one such order. Inconsistent: statements in a circle.
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
  const path = integers(proof['path'])
  const order = integers(proof['order'])
  const loop = integers(proof['circle'])
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
    const list = integers(value)
    return list === null ? null : fits(list, statements, entities.length)
  })
  if (!one || !two) return false
  const below = (rank: Int32Array) => (rank[ask.first] as number) < (rank[ask.second] as number)
  return below(one) !== below(two)
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

/** Do the statements follow one another from start to stop (or in a circle, for null)? */
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

/**
 * The witness in sentences: statements along the path with their consequences (in short only the last one), two orders
 * that fit, one order, or a circle.
 */
export function solution(problem: P): readonly SolutionStep[] {
  const { given } = problem
  const proof = witness(problem)
  if (!isObject(proof)) return [goldLine(problem)]
  const { greater, lesser } = words[given.relation]
  const below = (u: number, v: number): string => comparedIn(given, 'lesser', u, v)
  const order = (list: readonly number[]): string =>
    `An order that fits, from ${lesser} to ${greater}: ${list.map((i) => phrase(given, i)).join(', ')}.`
  const along = (path: readonly number[]): SolutionStep[] => {
    const steps = path.flatMap((at) => given.statements[at] ?? [])
    const [start = 0] = steps
    return path.flatMap((at, i) => {
      const [u, v] = given.statements[at] as Statement
      if (path.length === 1) return [below(u, v)]
      const so = `So ${below(start, v).replace(/^The /u, 'the ')}`
      return [optionalStep(below(u, v)), ...(i === 0 ? [] : [i === path.length - 1 ? so : fullOnly(so)])]
    })
  }
  const { path, orders, order: one, circle } = proof
  const way = integers(path) ?? integers(circle)
  const shown = [one, ...(orders !== undefined && isArray(orders) ? orders : [])].flatMap((list) => {
    const found = integers(list)
    return found === null ? [] : [order(found)]
  })
  return [...(way === null ? shown : along(way)), goldLine(problem)]
}

interface Reader {
  readonly numbers: ReadonlyMap<string, number>
  /** Most words of a name. */
  readonly words: number
  readonly reaches: (u: number, v: number) => boolean
}

const readerOf = memoize((given: Given): Reader => {
  const numbers = new Map(given.entities.map((name, i) => [name.toLowerCase(), i]))
  const most = Math.max(...given.entities.map((name) => name.split(' ').length))
  const { reaches } = closure({ n: given.entities.length, edges: given.statements })
  return { numbers, words: most, reaches }
})

/** Maximum length of a name in characters. */
const NEAR = 80
const ORDER = /^An order that fits, from (\w{1,10}) to (\w{1,10}): ([^.\n]{1,20000})\./gmu

/** Comparisons and orders in a text, each checked against the statements. Linear in the text. */
export function checkSteps({ given }: Question, text: string): CheckedSteps {
  const reader = readerOf(given)
  const { greater, lesser } = words[given.relation]
  const unknown: string[] = []
  const steps: CheckedStep[] = []
  for (const match of text.matchAll(new RegExp(` is (not )?(${greater}|${lesser}) than `, 'gu'))) {
    const end = match.index + match[0].length
    const left = nameBefore(reader, text.slice(Math.max(0, match.index - NEAR), match.index))
    const right = nameAfter(reader, text.slice(end, end + NEAR))
    for (const side of [left, right]) if (side.number === null && side.name !== '') unknown.push(side.name)
    if (left.number === null || right.number === null) continue
    const [low, high] = match[2] === greater ? [right.number, left.number] : [left.number, right.number]
    const says = reader.reaches(low, high)
    const span = [match.index - left.name.length, end + right.name.length] as const
    if (!isAsserted(text, span) || namesMore(reader, listedAfter(text, span[1]))) continue
    // Without an order between the two, "not older" follows from nothing.
    const holds = match[1] === undefined ? says : reader.reaches(high, low)
    steps.push({ span, holds, decides: match[1] === undefined ? decided(given, low, high) : null })
  }
  const orders: Ordered[] = []
  for (const match of text.matchAll(ORDER)) {
    const found = ranksOf(reader, given, match[3] ?? '', unknown)
    const rightWay = match[1] === lesser && match[2] === greater
    if (found !== null && rightWay) orders.push(found)
    steps.push({
      span: spanOf(match),
      holds: found !== null && rightWay,
      decides: found === null ? null : decidedByOrders(given, orders),
    })
  }
  return { steps: inOrder(steps), unknown }
}

function decided({ ask }: Given, low: number, high: number): string | null {
  if (ask.kind === 'consistency') return low === high ? 'Inconsistent' : null
  const [first, second] = ask.word === 'greater' ? [ask.second, ask.first] : [ask.first, ask.second]
  if (low === first && high === second) return 'Yes'
  return low === second && high === first ? 'No' : null
}

type Ordered = Int32Array

/** Ranks of an order of all that fits every statement, or null. */
function ranksOf(reader: Reader, given: Given, list: string, unknown: string[]): Ordered | null {
  const order: number[] = []
  for (const name of list.split(', ')) {
    const number = numberOf(reader, name)
    if (number === null) {
      unknown.push(name.slice(0, NEAR))
      return null
    }
    order.push(number)
  }
  return fits(order, given.statements, given.entities.length)
}

function decidedByOrders({ ask }: Given, orders: readonly Ordered[]): string | null {
  if (ask.kind === 'consistency') return 'Consistent'
  const ways = new Set(orders.map((rank) => (rank[ask.first] as number) < (rank[ask.second] as number)))
  return ways.size === 2 ? 'Unknown' : null
}

const numberOf = ({ numbers }: Reader, name: string): number | null =>
  numbers.get(name.toLowerCase().replace(/^the /u, '')) ?? null

interface FoundName {
  readonly name: string
  readonly number: number | null
}

/** The longest name at the end of a text; else its last word. */
function nameBefore(reader: Reader, text: string): FoundName {
  const parts = text.split(/[\s("*]+/u)
  for (let count = reader.words; count >= 1; count--) {
    const name = parts.slice(-count).join(' ')
    const number = numberOf(reader, name)
    if (number !== null) return { name, number }
  }
  return { name: parts.at(-1) ?? '', number: null }
}

/** Does a list of names continue, so that the statement is about several? */
function namesMore(reader: Reader, listed: string | null): boolean {
  if (listed === null) return false
  const { name, number } = nameAfter(reader, listed)
  return number !== null && !listed.startsWith(' is ', name.length)
}

/** The longest name at the start of a text; else its first word. */
function nameAfter(reader: Reader, text: string): FoundName {
  const parts = text.split(/[\s.,;:!?")*]/u)
  for (let count = reader.words + 1; count >= 1; count--) {
    const name = parts.slice(0, count).join(' ')
    const number = numberOf(reader, name)
    if (number !== null) return { name, number }
  }
  return { name: parts[0] ?? '', number: null }
}
