import { below, type Stream, shuffle } from '../../../core/index.ts'
import { type Rule, replaceAll } from '../../../rewriting/index.ts'
import { corpusOf, wordsOf } from '../sampling/left-sides.ts'
import { COUNTED_UP_TO, factorial } from './orders.ts'
import { type WordState, WordStates } from './word-states.ts'

/** Different (rules used, words) states that are looked at. */
const STATES = 200_000

/** The words after some of the rules, each run once, with every last step by which orders come here. */
interface State extends WordState {
  orders: number
  readonly from: { readonly state: State; readonly rule: number }[]
}

/** The states after one set of rules, in the order they were met, and by their hash. */
interface Layer {
  readonly states: State[]
  readonly byHash: Map<number, State[]>
}

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
    orders: chosen.reduce((product, { state }) => product * state.orders, interleavings),
    drawOrder: (stream) =>
      interleaved(
        stream,
        chosen.map(({ state, part }) => orderTo(state, stream).map((k) => part[k] as number)),
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
  readonly state: State
  readonly part: readonly number[]
  readonly order: readonly number[]
}

/**
 * Where the orders of some of the rules end. The walk goes over states (which rules are used, what the words are now),
 * so orders that meet are counted together.
 */
function endingsOf(
  inputs: readonly string[],
  rules: readonly Rule[],
  part: readonly number[],
): readonly Ending[] | null {
  const full = (1 << part.length) - 1
  const words = new WordStates(
    inputs,
    part.map((rule) => rules[rule] as Rule),
  )
  const start: State = { ...words.start, orders: 1, from: [] }
  // Sets of rules as binary numbers: a set has a higher number than all of its subsets.
  const layers: (Layer | undefined)[] = [{ states: [start], byHash: new Map([[start.hash, [start]]]) }]
  let states = 1
  for (let used = 0; used < full; used++)
    for (const state of layers[used]?.states ?? [])
      for (let k = 0; k < part.length; k++) {
        if ((used & (1 << k)) !== 0) continue
        const next = used | (1 << k)
        const layer = layers[next] ?? { states: [], byHash: new Map<number, State[]>() }
        layers[next] = layer
        const after = words.after(state, k)
        const met = words.find(layer.byHash, after)
        if (met !== undefined) {
          met.orders += state.orders
          met.from.push({ state, rule: k })
          continue
        }
        if (++states > STATES) return null
        words.keep()
        const fresh: State = { ...after, orders: state.orders, from: [{ state, rule: k }] }
        layer.states.push(fresh)
        const same = layer.byHash.get(fresh.hash)
        if (same === undefined) layer.byHash.set(fresh.hash, [fresh])
        else same.push(fresh)
      }
  return (layers[full]?.states ?? []).map((state) => ({
    state,
    part,
    order: firstOrder(state).map((k) => part[k] as number),
  }))
}

function firstOrder(end: State): readonly number[] {
  const order: number[] = []
  for (let step = end.from[0]; step !== undefined; step = step.state.from[0]) order.push(step.rule)
  return order.reverse()
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

function orderTo(end: State, stream: Stream): readonly number[] {
  const order: number[] = []
  for (let state = end; state.from.length > 0; ) {
    let left = below(stream, state.orders)
    let step = state.from[0] as State['from'][number]
    for (const from of state.from) {
      step = from
      left -= from.state.orders
      if (left < 0) break
    }
    order.push(step.rule)
    state = step.state
  }
  return order.reverse()
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
