import { type Stream, shuffle } from '../../../core/index.ts'
import { type Rule, replaceAll } from '../../../libraries/rewriting/index.ts'
import { corpusOf, wordsOf } from '../sampling/left-sides.ts'
import { StateWalk } from './state-walk.ts'

/** Up to this length all valid orders are counted; beyond, only whether a second one exists. */
export const COUNTED_UP_TO = 12

/** n!: how many orders n rules have. */
export function factorial(n: number): number {
  let product = 1
  for (let k = 2; k <= n; k++) product *= k
  return product
}

/** Maximum number of different (rules used, words) states. */
const STATES = 200_000

/**
 * How many orders of the rules turn the inputs into the outputs; equal rules count as different. The count goes over
 * states (which rules are used, what the words are now), so orders that meet are counted together. It stops at `most`;
 * null where more than 200,000 states would have to be seen.
 */
export function countOrders(
  inputs: readonly string[],
  outputs: readonly string[],
  rules: readonly Rule[],
  most = Number.POSITIVE_INFINITY,
): number | null {
  const goal = corpusOf(outputs)
  const memory = new Map<string, number>()
  const full = (1 << rules.length) - 1
  let spent = false
  const count = (used: number, now: string): number => {
    if (used === full) return now === goal ? 1 : 0
    const key = `${used} ${now}`
    const known = memory.get(key)
    if (known !== undefined) return known
    if (memory.size >= STATES) {
      spent = true
      return 0
    }
    let sum = 0
    for (let k = 0; k < rules.length && sum < most && !spent; k++)
      if ((used & (1 << k)) === 0) sum += count(used | (1 << k), replaceAll(now, rules[k] as Rule))
    memory.set(key, sum)
    return sum
  }
  const found = count(0, corpusOf(inputs))
  return spent && found < most ? null : Math.min(found, most)
}

/** One output that the rules can give: the words, and how many orders give them. Equal rules count as different. */
export interface Outcome {
  readonly outputs: readonly string[]
  readonly orders: number
  /** One of these orders, each equally likely. */
  drawOrder(stream: Stream): readonly number[]
}

/**
 * All distinct outputs of the orders of the rules, in a fixed sequence. null: more than 12 rules or more than 200,000
 * states.
 */
export function outcomes(inputs: readonly string[], rules: readonly Rule[]): readonly Outcome[] | null {
  if (rules.length > COUNTED_UP_TO) return null
  const parts = independentParts(rules)
  let total = 1
  const found: (readonly Ending[])[] = []
  for (const part of parts) {
    const endings = endingsOf(inputs, rules, part)
    total *= endings?.length ?? 0
    if (endings === null || total > STATES) return null
    found.push(endings)
  }
  const interleavings = parts.reduce((product, part) => product / factorial(part.length), factorial(rules.length))
  return choicesOf(found).map((chosen) => ({
    outputs: wordsOf(
      chosen.flatMap(({ order }) => order).reduce((now, k) => replaceAll(now, rules[k] as Rule), corpusOf(inputs)),
    ),
    orders: chosen.reduce((product, { walk, state }) => product * walk.ordersTo(state), interleavings),
    drawOrder: (stream) =>
      interleaved(
        stream,
        chosen.map(({ walk, state, part }) => walk.drawOrder(state, stream).map((k) => part[k] as number)),
      ),
  }))
}

/**
 * Sets of rules that share no letter: as long as none deletes, rules of two sets do not interact, so their outputs
 * combine freely.
 */
function independentParts(rules: readonly Rule[]): readonly (readonly number[])[] {
  const all = [...rules.keys()]
  if (rules.some(([, right]) => right === '')) return [all]
  let sets: { letters: Set<string>; members: number[] }[] = []
  for (const k of all) {
    const letters = new Set((rules[k] as Rule).join(''))
    const near = sets.filter((set) => [...letters].some((letter) => set.letters.has(letter)))
    const joined = {
      letters: new Set([...near.flatMap((set) => [...set.letters]), ...letters]),
      members: [...near.flatMap((set) => set.members), k].toSorted((a, b) => a - b),
    }
    sets = [...sets.filter((set) => !near.includes(set)), joined]
  }
  return sets.map(({ members }) => members)
}

/** The words after all rules of a part, and one order of the part that comes here. */
interface Ending {
  readonly walk: StateWalk
  readonly state: number
  readonly part: readonly number[]
  readonly order: readonly number[]
}

/** Where the orders of some of the rules end, or null where more than 200,000 states would have to be seen. */
function endingsOf(
  inputs: readonly string[],
  rules: readonly Rule[],
  part: readonly number[],
): readonly Ending[] | null {
  const walk = new StateWalk(
    inputs,
    part.map((rule) => rules[rule] as Rule),
  )
  if (!walk.walk(STATES)) return null
  const named = (order: readonly number[]) => order.map((k) => part[k] as number)
  return walk.endings().map((state) => ({ walk, state, part, order: named(walk.firstOrder(state)) }))
}

/** One ending of each part, in every way. */
const choicesOf = (found: readonly (readonly Ending[])[]): readonly (readonly Ending[])[] =>
  found.reduce<readonly (readonly Ending[])[]>(
    (chosen, endings) => chosen.flatMap((so) => endings.map((ending) => [...so, ending])),
    [[]],
  )

/** The orders merged into one, each way equally likely. */
function interleaved(stream: Stream, orders: readonly (readonly number[])[]): readonly number[] {
  const turns = shuffle(
    stream,
    orders.flatMap((order, which) => order.map(() => which)),
  )
  const at = orders.map(() => 0)
  return turns.map((which) => {
    const place = at[which] as number
    at[which] = place + 1
    return orders[which]?.[place] as number
  })
}

/**
 * Can a target be drawn from these outputs so that the rules do not reveal it? Needs at least two outputs, none equal
 * to the inputs; and either every output has a single order or none has, so that selecting items with a single order
 * reveals nothing.
 */
export function fairlyAsked(inputs: readonly string[], all: readonly Outcome[]): boolean {
  if (all.length < 2) return false
  const single = all.filter(({ orders }) => orders === 1).length
  if (single !== 0 && single !== all.length) return false
  const words = corpusOf(inputs)
  return all.every(({ outputs }) => corpusOf(outputs) !== words)
}
