import { type Stream, shuffle, weighted } from '../../../core/index.ts'
import { type Rule, replaceAll } from '../../../libraries/rewriting/index.ts'
import { corpusOf, wordsOf } from '../sampling/left-sides.ts'

/** Up to this length all orders are followed. */
export const COUNTED_UP_TO = 12

/** Maximum number of different (rules used, words) states. */
const STATES = 200_000

/** n!: how many orders n rules have. */
export function factorial(n: number): number {
  let product = 1
  for (let k = 2; k <= n; k++) product *= k
  return product
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
    orders: chosen.reduce((product, { orders }) => product * orders, interleavings),
    drawOrder: (stream) =>
      interleaved(
        stream,
        chosen.map(({ drawOrder }) => drawOrder(stream)),
      ),
  }))
}

/** How many orders give these outputs; null: too many states to count them. */
export function ordersTo(outputs: readonly string[], all: readonly Outcome[] | null): number | null {
  const goal = corpusOf(outputs)
  return all && (all.find((one) => corpusOf(one.outputs) === goal)?.orders ?? 0)
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

/** The words after all rules of a part: how many orders of the part come here, and one of them. */
interface Ending extends Pick<Outcome, 'orders' | 'drawOrder'> {
  readonly order: readonly number[]
}

/** What the words are after some of the rules. */
interface State {
  readonly used: number
  readonly words: string
  /** How many orders of the rules used come here. */
  orders: number
  /** From which state, and by which rule, it was first met; null: the beginning. */
  readonly met: { readonly from: State; readonly rule: number } | null
}

/** Where the orders of some of the rules end, or null where more than 200,000 states would have to be seen. */
function endingsOf(inputs: readonly string[], all: readonly Rule[], part: readonly number[]): readonly Ending[] | null {
  const rules = part.map((k) => all[k] as Rule)
  const states = walk(corpusOf(inputs.filter((word) => dependsOnOrder(word, rules))), rules, STATES)
  if (states === null) return null
  const named = (order: readonly number[]) => order.toReversed().map((k) => part[k] as number)
  return [...(states.at(-1) as ReadonlyMap<string, State>).values()].map((end) => {
    const order: number[] = []
    for (let { met } = end; met !== null; met = met.from.met) order.push(met.rule)
    return {
      orders: end.orders,
      order: named(order),
      drawOrder: (stream) => named(drawBack(states, rules, end, stream)),
    }
  })
}

/**
 * By set of rules (as a binary number), the states that their orders make of the words, in the order in which they are met; orders
 * that meet are counted together. null: more states than the limit.
 */
function walk(words: string, rules: readonly Rule[], most: number): readonly ReadonlyMap<string, State>[] | null {
  const states = Array.from({ length: 1 << rules.length }, () => new Map<string, State>())
  states[0]?.set(words, { used: 0, words, orders: 1, met: null })
  let count = 1
  // A set of rules has a higher number than all of its subsets.
  for (const [used, here] of states.entries())
    for (const from of here.values())
      for (const [k, rule] of rules.entries()) {
        if ((used & (1 << k)) !== 0) continue
        const next = used | (1 << k)
        const after = replaceAll(from.words, rule)
        const known = states[next]?.get(after)
        if (known !== undefined) known.orders += from.orders
        else {
          states[next]?.set(after, { used: next, words: after, orders: from.orders, met: { from, rule: k } })
          if (++count > most) return null
        }
      }
  return states
}

/** Texts of one word, the length of one, and rules that change it, up to which it is seen whether their order matters to it. */
const MAX_TEXTS = 64
const MAX_RULES = 8

/** Can two orders of the same rules make different words of a word? true also where that takes too long to see. */
function dependsOnOrder(word: string, rules: readonly Rule[]): boolean {
  const texts = new Set([word])
  const changing = new Set<Rule>()
  for (const text of texts)
    for (const rule of rules) {
      const after = replaceAll(text, rule)
      if (after === text) continue
      changing.add(rule)
      if (texts.add(after).size > MAX_TEXTS || after.length > MAX_TEXTS) return true
    }
  if (changing.size > MAX_RULES) return true
  return walk(word, [...changing], STATES)?.some((states) => states.size > 1) ?? true
}

/** One of the orders that end in a state, each equally likely, the last rule first. */
function drawBack(
  states: readonly ReadonlyMap<string, State>[],
  rules: readonly Rule[],
  end: State,
  stream: Stream,
): readonly number[] {
  const order: number[] = []
  for (let state = end; state.used !== 0; ) {
    const steps = [...rules.keys()].toReversed().flatMap((rule) => {
      if ((state.used & (1 << rule)) === 0) return []
      const before = [...(states[state.used ^ (1 << rule)] as ReadonlyMap<string, State>).values()]
      return before
        .filter(({ words }) => replaceAll(words, rules[rule] as Rule) === state.words)
        .map((from) => ({ from, rule }))
    })
    const step = steps[
      weighted(
        stream,
        steps.map(({ from }) => from.orders),
      )
    ] as (typeof steps)[number]
    order.push(step.rule)
    state = step.from
  }
  return order
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
