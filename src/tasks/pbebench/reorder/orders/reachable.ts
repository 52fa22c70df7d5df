import { type Stream, shuffle } from '../../../../core/index.ts'
import { type Rule, replaceAll } from '../../../../libraries/rewriting/index.ts'
import { corpusOf, wordsOf } from '../../sampling/left-sides.ts'
import { COUNTED_UP_TO, factorial } from './orders.ts'
import { StateWalk } from './state-walk.ts'

/** Different (rules used, words) states that are looked at. */
const STATES = 200_000

/** One output that the rules can give: the words, and how many orders give them. Equal rules count as different. */
export interface Outcome {
  readonly outputs: readonly string[]
  readonly orders: number
  /** One of these orders, each equally likely. */
  drawOrder(stream: Stream): readonly number[]
}

/**
 * Every distinct output that the orders of the rules give, in an order that depends on the rules as listed and on the
 * words. null where there are more than 12 rules or more than 200,000 states would have to be seen.
 */
export function outcomes(inputs: readonly string[], rules: readonly Rule[]): readonly Outcome[] | null {
  if (rules.length > COUNTED_UP_TO) return null
  const parts = strangers(rules)
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
 * The rules in sets that share no letter: rules of two sets do not touch one another's places, in whatever order, as
 * long as none deletes, which would bring letters together. So their outputs combine freely.
 */
function strangers(rules: readonly Rule[]): readonly (readonly number[])[] {
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
 * Can a target be drawn from these outputs so that nothing about the rules tells which? Two outputs at least, none of
 * them the inputs; and either every output has one order or none has, or else those who look at items with one order
 * only would look at the rules that can have one first.
 */
export function fairlyAsked(inputs: readonly string[], all: readonly Outcome[]): boolean {
  if (all.length < 2) return false
  const single = all.filter(({ orders }) => orders === 1).length
  if (single !== 0 && single !== all.length) return false
  const words = corpusOf(inputs)
  return all.every(({ outputs }) => corpusOf(outputs) !== words)
}
