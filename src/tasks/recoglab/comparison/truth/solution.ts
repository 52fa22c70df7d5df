import {
  type CheckedStep,
  type CheckedSteps,
  fullOnly,
  isArray,
  isObject,
  type Json,
  memoize,
  optionalStep,
  type SolutionStep,
} from '../../../../core/index.ts'
import type { Problem } from '../../../../core/task.ts'
import { closure } from '../../../../libraries/graphs/closure.ts'
import { isAsserted, listedAfter } from '../../../../libraries/language/asserted.ts'
import { goldLine } from '../../common/answers.ts'
import { type Given, type Question, type Shared, type Statement, words } from '../question.ts'
import { witness } from './witness.ts'

type P = Problem<Shared, Given, string>

const phrase = (given: Given, i: number): string =>
  `${given.entityKind === 'objects' ? 'the ' : ''}${given.entities[i] ?? ''}`
const capital = (text: string): string => (text.startsWith('the ') ? `T${text.slice(1)}` : text)

/**
 * The witness in sentences: what is said along the way with what follows after each (in short with what follows at the end), two
 * orders that both fit, one order, or a circle.
 */
export function solution(problem: P): readonly SolutionStep[] {
  const { given } = problem
  const proof = witness(problem)
  if (!isObject(proof)) return [goldLine(problem)]
  const { greater, lesser } = words[given.relation]
  const below = (u: number, v: number): string => `${capital(phrase(given, u))} is ${lesser} than ${phrase(given, v)}.`
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
  const lines = isNumbers(path)
    ? along(path)
    : isNumbers(circle)
      ? along(circle)
      : isNumbers(one)
        ? [order(one)]
        : (isArray(orders ?? null) ? (orders as Json[]) : []).filter(isNumbers).map(order)
  return [...lines, goldLine(problem)]
}

const isNumbers = (value: Json | undefined): value is readonly number[] =>
  value !== undefined && isArray(value) && value.every((one) => typeof one === 'number')

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

/** A name has at most so many characters: what stands farther off is not looked at. */
const NEAR = 80
const ORDER = /^An order that fits, from (\w{1,10}) to (\w{1,10}): ([^.\n]{1,20000})\./gmu

/** Comparisons and orders in a text, each checked against all that the statements say. Linear in the text. */
export function stated({ given }: Question, text: string): CheckedSteps {
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
    const found = ordered(reader, given, match[3] ?? '', unknown)
    const rightWay = match[1] === lesser && match[2] === greater
    if (found !== null && rightWay) orders.push(found)
    steps.push({
      span: [match.index, match.index + match[0].length],
      holds: found !== null && rightWay,
      decides: found === null ? null : decidedByOrders(given, orders),
    })
  }
  return { steps: steps.sort((a, b) => a.span[0] - b.span[0]), unknown }
}

function decided({ ask }: Given, low: number, high: number): string | null {
  if (ask.kind === 'consistency') return low === high ? 'Inconsistent' : null
  const [first, second] = ask.word === 'greater' ? [ask.second, ask.first] : [ask.first, ask.second]
  if (low === first && high === second) return 'Yes'
  return low === second && high === first ? 'No' : null
}

type Ordered = Int32Array

/** Ranks of an order of all that fits every statement, or null. */
function ordered(reader: Reader, given: Given, list: string, unknown: string[]): Ordered | null {
  const rank = new Int32Array(given.entities.length).fill(-1)
  for (const [i, name] of list.split(', ').entries()) {
    const number = numberOf(reader, name)
    if (number === null) {
      unknown.push(name.slice(0, NEAR))
      return null
    }
    rank[number] = i
  }
  if (rank.includes(-1) || list.split(', ').length !== rank.length) return null
  return given.statements.every(([u, v]) => (rank[u] as number) < (rank[v] as number)) ? rank : null
}

function decidedByOrders({ ask }: Given, orders: readonly Ordered[]): string | null {
  if (ask.kind === 'consistency') return 'Consistent'
  const ways = new Set(orders.map((rank) => (rank[ask.first] as number) < (rank[ask.second] as number)))
  return ways.size === 2 ? 'Unknown' : null
}

const numberOf = ({ numbers }: Reader, name: string): number | null =>
  numbers.get(name.toLowerCase().replace(/^the /u, '')) ?? null

interface Named {
  readonly name: string
  readonly number: number | null
}

/** The longest name at the end of a text; else its last word. */
function nameBefore(reader: Reader, text: string): Named {
  const parts = text.split(/[\s("*]+/u)
  for (let count = reader.words; count >= 1; count--) {
    const name = parts.slice(-count).join(' ')
    const number = numberOf(reader, name)
    if (number !== null) return { name, number }
  }
  return { name: parts.at(-1) ?? '', number: null }
}

/** Does a list of names go on, so that the statement is about several? */
function namesMore(reader: Reader, listed: string | null): boolean {
  if (listed === null) return false
  const { name, number } = nameAfter(reader, listed)
  return number !== null && !listed.startsWith(' is ', name.length)
}

/** The longest name at the start of a text; else its first word. */
function nameAfter(reader: Reader, text: string): Named {
  const parts = text.split(/[\s.,;:!?")*]/u)
  for (let count = reader.words + 1; count >= 1; count--) {
    const name = parts.slice(0, count).join(' ')
    const number = numberOf(reader, name)
    if (number !== null) return { name, number }
  }
  return { name: parts[0] ?? '', number: null }
}
