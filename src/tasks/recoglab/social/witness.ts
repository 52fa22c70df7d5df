import {
  type CheckedStep,
  type CheckedSteps,
  fullOnly,
  isObject,
  type Json,
  memoize,
  optionalStep,
  type Problem,
  type SolutionStep,
} from '../../../core/index.ts'
import {
  distancesFrom,
  type Edge,
  generations,
  isWalk,
  neighbours,
  shortestPath,
} from '../../../libraries/graphs/graph.ts'
import { isAsserted } from '../../../libraries/language/asserted.ts'
import { inOrder, integers, spanOf } from '../common/steps.ts'
import { goldText } from './parsers.ts'
import {
  type Answer,
  asksFamily,
  type FamilyAsk,
  type Given,
  type MessageAsk,
  type Question,
  type Shared,
} from './question.ts'

type P = Problem<Shared, Given, Answer>

/**
 * Messages: a way of the right length, and a height for everybody (the distance to the target) that changes by at most
 * one along each edge: together they prove that no way is shorter, and which neighbours are one lower. Generations: the
 * generation number of everybody.
 */
export function witness({ given }: P): Json {
  const { ask, people } = given
  if (asksFamily(ask)) return { levels: levelsOf(given) }
  const { lists, away } = handing(given, ask.to)
  // Who cannot reach the target at all is put one above everybody who can.
  const height = away.map((h) => (h === -1 ? people.length : h))
  return { way: shortestPath(lists, ask.from, ask.to), height }
}

/** Of everybody the generation, the oldest being 0. */
function levelsOf({ people, edges, relation }: Given): number[] {
  const down = relation === 'child' ? edges.map(([child, parent]): Edge => [parent, child]) : edges
  return [...(generations({ n: people.length, edges: down }) ?? [])]
}

/** To whom everybody can hand a message, and how many hand-overs everybody is from the receiver; -1: never. */
function handing({ people, edges, oneWay }: Given, to: number) {
  const n = people.length
  const lists = neighbours({ n, edges }, oneWay)
  const back = oneWay ? neighbours({ n, edges: edges.map(([u, v]): Edge => [v, u]) }, true) : lists
  return { lists, away: [...distancesFrom(back, to)] }
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
  const way = integers(proof['way'])
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

/** What a solution counts and a checker counts again. */
interface Counted {
  /** of everybody: hand-overs to the receiver, or the generation, the oldest being 1; -1: never reached */
  readonly of: readonly number[]
  /** whom a message can be handed to; empty for families */
  readonly lists: readonly (readonly number[])[]
}

const countedOf = memoize((given: Given): Counted => {
  const { ask } = given
  if (asksFamily(ask)) return { of: levelsOf(given).map((level) => level + 1), lists: [] }
  const { lists, away } = handing(given, ask.to)
  return { of: away, lists }
})

const namesAt = ({ people }: Given, of: readonly number[], at: number): string =>
  people.filter((_, i) => of[i] === at).join(', ')
const handOvers = (count: number): string => (count === 1 ? '1 hand-over' : `${count} hand-overs`)

/**
 * Layers of people by number of hand-overs to the receiver (a shortest path in short) and the result; for families the
 * generations (in short only the one of the question).
 */
export function solution(problem: P): readonly SolutionStep[] {
  const { given } = problem
  const lines = asksFamily(given.ask)
    ? family(given, given.ask, problem.answer)
    : message(given, given.ask, problem.answer)
  return [...lines, goldText(problem)]
}

function message(given: Given, ask: MessageAsk, answer: Answer): SolutionStep[] {
  const { people } = given
  const { of, lists } = countedOf(given)
  const receiver = people[ask.to] ?? ''
  const sender = people[ask.from] ?? ''
  const away = of[ask.from] as number
  const layers = Array.from({ length: away }, (_, i) =>
    fullOnly(`${handOvers(i + 1)} from ${receiver}: ${namesAt(given, of, i + 1)}.`),
  )
  const count = `It takes ${handOvers(away)} from ${sender} to ${receiver}.`
  const way = (names: readonly (string | undefined)[]): string => `A shortest way: ${names.join(' -> ')}.`
  const from = (v: number) => (shortestPath(lists, v, ask.to) ?? []).map((u) => people[u])
  const found: { readonly [kind in MessageAsk['kind']]: () => readonly SolutionStep[] } = {
    hops: () => [inShort(way(from(ask.from))), count],
    'next-hop': () => [
      inShort(way([sender, ...from(people.indexOf(answer[0] ?? ''))])),
      `${sender} can hand it to ${answer[0] ?? ''}, who is ${handOvers(away - 1)} from ${receiver}.`,
    ],
    path: () => [inShort(count), way(answer)],
  }
  return [...layers, ...found[ask.kind]()]
}

/** What stands for the layers where they are omitted. */
const inShort = (short: string): SolutionStep => ({ reason: null, short, full: null })

function family(given: Given, ask: FamilyAsk, [first = '']: Answer): SolutionStep[] {
  const { of } = countedOf(given)
  const asked = ask.kind === 'oldest' ? 1 : Math.max(...of)
  const lines = Array.from({ length: Math.max(...of) }, (_, i) => {
    const line = `Generation ${i + 1}: ${namesAt(given, of, i + 1)}.`
    return i + 1 === asked ? optionalStep(line) : fullOnly(line)
  })
  return [...lines, `${first} belongs to the ${ask.kind} generation asked about.`]
}

const LAYER = /^(\d{1,4}) hand-overs? from ([^:\n]{1,80}): ([^\n]{0,20000})\.$/gmu
const COUNT = /\bIt takes (\d{1,4}) hand-overs? from ([^.,\n]{1,80}?) to ([^.,\n]{1,80})\./gu
const NEXT =
  /([^\s.,][^.,\n]{0,79}?) can hand it to ([^.,\n]{1,80}), who is (\d{1,4}) hand-overs? from ([^.,\n]{1,80})\./gu
const WAY = /\bA shortest way: ([^\n]{1,20000})\.$/gmu
const GENERATION = /^Generation (\d{1,4}): ([^\n]{0,20000})\.$/gmu
const BELONGS = /^([^\n,.]{1,80}) belongs to the (oldest|youngest) generation asked about\.$/gmu

/** Layers, counts, paths and generations in a text, each checked against the statements. Linear in the text. */
export function checkSteps({ given }: Question, text: string): CheckedSteps {
  const { of, lists } = countedOf(given)
  const numbers = new Map(given.people.map((name, i) => [name, i]))
  const unknown: string[] = []
  const steps: CheckedStep[] = []
  const person = (name: string | undefined): number | null => {
    const found = numbers.get(name ?? '')
    if (found === undefined) unknown.push((name ?? '').slice(0, 80))
    return found ?? null
  }
  const add = (match: RegExpMatchArray, holds: boolean, decides: string | null): void => {
    const span = spanOf(match)
    if (isAsserted(text, span)) steps.push({ span, holds, decides })
  }
  /** Does a list name exactly the people of a layer? */
  const isLayer = (list: string, at: number): boolean => {
    const said = list.split(', ').map(person)
    return (
      said.length === new Set(said).size &&
      said.length === of.filter((one) => one === at).length &&
      said.every((v) => v !== null && of[v] === at)
    )
  }
  const { ask } = given
  if (asksFamily(ask)) {
    for (const match of text.matchAll(GENERATION)) add(match, isLayer(match[2] ?? '', Number(match[1])), null)
    for (const match of text.matchAll(BELONGS)) {
      const one = person(match[1])
      const asked = (ask.among ?? [...given.people.keys()]).filter(
        (v) => of[v] === (ask.kind === 'oldest' ? 1 : Math.max(...of)),
      )
      add(match, one !== null && match[2] === ask.kind && asked.includes(one), match[1] ?? null)
    }
  } else {
    const away = of[ask.from] as number
    for (const match of text.matchAll(LAYER))
      add(match, person(match[2]) === ask.to && isLayer(match[3] ?? '', Number(match[1])), null)
    for (const match of text.matchAll(COUNT)) {
      const [from, to] = [person(match[2]), person(match[3])]
      add(
        match,
        to === ask.to && from !== null && of[from] === Number(match[1]),
        from === ask.from && ask.kind === 'hops' ? String(Number(match[1])) : null,
      )
    }
    // What begins with a name is tried at every place of a text.
    for (const match of text.includes(' can hand it to ') ? text.matchAll(NEXT) : []) {
      const [from, next, to] = [person(match[1]), person(match[2]), person(match[4])]
      const handed = from !== null && next !== null && lists[from]?.includes(next) === true
      const nearer = next !== null && to === ask.to && of[next] === Number(match[3]) && of[next] === away - 1
      add(match, handed && nearer && from === ask.from, ask.kind === 'next-hop' ? (match[2] ?? null) : null)
    }
    for (const match of text.matchAll(WAY)) {
      const names = (match[1] ?? '').split(' -> ')
      const way = names.map(person)
      const walked = way.every((v, i) => v !== null && (i === 0 || lists[way[i - 1] ?? -1]?.includes(v) === true))
      const whole = way[0] === ask.from && way.at(-1) === ask.to && way.length - 1 === away
      add(match, walked && whole, ask.kind === 'path' ? goldText({ given, answer: names }) : null)
    }
  }
  return { steps: inOrder(steps), unknown }
}
