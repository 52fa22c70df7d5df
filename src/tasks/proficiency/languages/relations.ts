import { type Pcfg, type PrefixAutomaton, prefixAutomaton } from '../../../libraries/grammars/pcfg/index.ts'

/** P(a string of one finite language lies in another), exact: both prefix automata are walked at once. */
export function shareInside(one: Pcfg, other: Pcfg): number {
  const [a, b] = [prefixAutomaton(one), prefixAutomaton(other)]
  const known = new Map<string, number>()
  const share = (at: number, beside: number): number => {
    const key = `${at} ${beside}`
    let sum = known.get(key)
    if (sum !== undefined) return sum
    const [here, there] = [a.state(at), b.state(beside)]
    sum = there.end > 0 ? here.end : 0
    for (const [token, { to, probability }] of here.next) {
      const arc = there.next.get(other.terminals.indexOf(one.terminals[token] as string))
      if (arc !== undefined) sum += probability * share(to, arc.to)
    }
    known.set(key, sum)
    return sum
  }
  return share(0, 0)
}

/** States that hold less of the probability than this are dropped. */
const NEGLIGIBLE = 1e-13

/**
 * P of each symbol of a string and of the end given those before it, of a language seen through a channel of errors: before every symbol a random
 * token is inserted with probability e/3, and every token is replaced by another or deleted, each with probability e/3. Sums
 * over all strings of the language and all ways to change them.
 *
 * @param tokens - terminals of the grammar, or -1 for a token that it lacks.
 * @param size - tokens of the alphabet.
 */
export function channelSteps(grammar: Pcfg, e: number, tokens: readonly number[], size: number): number[] {
  const automaton = prefixAutomaton(grammar)
  const one = e / 3
  let before = new Map([[0, 1]])
  let total = 1
  const steps = tokens.map((token) => {
    const next = new Map<number, number>()
    for (const [state, weight] of afterDeletions(automaton, before, (1 - one) * one)) {
      add(next, state, (weight * one) / size)
      for (const [terminal, { to, probability }] of automaton.state(state).next) {
        const share = terminal === token ? 1 - 2 * one : one / (size - 1)
        add(next, to, weight * (1 - one) * probability * share)
      }
    }
    const sum = totalOf(next)
    const step = total === 0 ? 0 : sum / total
    before = new Map([...next].filter(([, weight]) => weight > NEGLIGIBLE * sum))
    total = totalOf(before)
    return step
  })
  let ended = 0
  for (const [state, weight] of afterDeletions(automaton, before, (1 - one) * one))
    ended += weight * (1 - one) * automaton.state(state).end
  return [...steps, total === 0 ? 0 : ended / total]
}

/** The states that are reached when any number of tokens are deleted, each with this probability. */
function afterDeletions(automaton: PrefixAutomaton, from: ReadonlyMap<number, number>, deleted: number) {
  const all = new Map(from)
  const least = NEGLIGIBLE * totalOf(from)
  for (let front = from; deleted > 0 && totalOf(front) > least; ) {
    const next = new Map<number, number>()
    for (const [state, weight] of front)
      for (const { to, probability } of automaton.state(state).next.values())
        add(next, to, weight * deleted * probability)
    for (const [state, weight] of next) add(all, state, weight)
    front = next
  }
  return all
}

function add(to: Map<number, number>, state: number, weight: number): void {
  if (weight > 0) to.set(state, (to.get(state) ?? 0) + weight)
}

const totalOf = (weights: ReadonlyMap<number, number>): number => [...weights.values()].reduce((a, b) => a + b, 0)
