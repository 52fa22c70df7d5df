import { memoize } from '../../../core/memo.ts'
import { rejectCrossed } from './crossed.ts'
import { isTerminal, meanMatrix, type Pcfg, PcfgError, type PcfgRule, reachable, terminalIndex } from './grammar.ts'
import { cyclicRow } from './linear.ts'
import { MIN_PROBABILITY } from './scaled-probability.ts'

/**
 * The language as a deterministic weighted automaton, built as far as it is walked: a state is what may still follow a
 * prefix, a weighted set of stacks of symbols (weights sum to 1), and prefixes with the same future share a state. So
 * string probabilities are exact although a string has several derivations, and counting paths counts strings.
 * What is possible but has less than 2^-900 of the weight (see `MIN_PROBABILITY`) is held at that: it stays in the language.
 *
 * Finite for every non-recursive grammar; for others it grows with the prefixes seen. Left-recursive grammars have no
 * such automaton: use `earley.ts`.
 */
export interface PrefixState {
  /** P(the string ends here | this prefix) */
  readonly end: number
  /** Terminal index -> P(next | prefix) and the state after it; only what is possible. In terminal order. */
  readonly next: ReadonlyMap<number, PrefixArc>
}
export interface PrefixArc {
  readonly probability: number
  readonly to: number
}

/** a =>* terminal + suffix, leftmost. */
interface Expansion {
  readonly terminal: number
  readonly suffix: readonly number[]
  readonly probability: number
}

/** States of an automaton unless its maker says otherwise. */
export const MAX_STATES = 400_000
const MAX_EXPANSIONS = 20_000
/** Stacks in all beliefs together: what bounds the memory. */
const MAX_STACKS = 4_000_000

export class PrefixAutomaton {
  readonly grammar: Pcfg
  private readonly expansions: (readonly Expansion[] | undefined)[] = []
  private readonly stacks = new StackPool()
  private readonly beliefs: (readonly (readonly [stack: number, weight: number])[])[] = []
  private readonly states: (PrefixState | undefined)[] = []
  private readonly numbers = new Map<string, number>()
  private readonly limit: number
  private held = 0

  /** @throws PcfgError for a left-recursive grammar. `limit` bounds the states held. */
  constructor(grammar: Pcfg, limit = MAX_STATES) {
    rejectCrossed(grammar, 'the prefix automaton')
    this.grammar = grammar
    this.limit = limit
    const used = reachable(grammar)
    const recursive = cyclicRow(meanMatrix(grammar, ({ left, right }) => (used[left] ? right.slice(0, 1) : [])))
    if (recursive !== null)
      throw new PcfgError(
        'unsupported',
        `${grammar.nonterminals[recursive]} is left-recursive; this quantity needs a grammar without left recursion`,
      )
    this.intern(new Map([[this.stacks.push(0, 0), 1]]), 1)
  }

  /** States met so far; 0 is the start. */
  get size(): number {
    return this.beliefs.length
  }

  /** @throws PcfgError past the limit of states. */
  state(number: number): PrefixState {
    let found = this.states[number]
    if (found === undefined) {
      found = this.build(number)
      this.states[number] = found
    }
    return found
  }

  private build(number: number): PrefixState {
    let end = 0
    const buckets = new Map<number, Map<number, number>>()
    const add = (terminal: number, stack: number, weight: number) => {
      let bucket = buckets.get(terminal)
      if (bucket === undefined) {
        bucket = new Map()
        buckets.set(terminal, bucket)
      }
      bucket.set(stack, (bucket.get(stack) ?? 0) + Math.max(weight, MIN_PROBABILITY))
    }
    for (const [stack, weight] of this.beliefs[number] as (typeof this.beliefs)[number]) {
      if (stack === 0) {
        end += weight
        continue
      }
      const top = this.stacks.top(stack)
      const rest = this.stacks.rest(stack)
      if (isTerminal(top)) add(terminalIndex(top), rest, weight)
      else
        for (const { terminal, suffix, probability } of this.expand(top)) {
          let after = rest
          for (let i = suffix.length - 1; i >= 0; i--) after = this.stacks.push(suffix[i]!, after)
          add(terminal, after, weight * probability)
        }
    }
    const next = new Map<number, PrefixArc>()
    for (const terminal of [...buckets.keys()].sort((a, b) => a - b)) {
      const bucket = buckets.get(terminal) as Map<number, number>
      let probability = 0
      for (const weight of bucket.values()) probability += weight
      next.set(terminal, { probability, to: this.intern(bucket, probability) })
    }
    return { end, next }
  }

  /** The state of a belief; beliefs whose weights all agree to 40 bits, however small they are, are the same. */
  private intern(bucket: ReadonlyMap<number, number>, total: number): number {
    const belief = [...bucket].map(([stack, weight]) => [stack, weight / total] as const).sort((a, b) => a[0] - b[0])
    let key = ''
    for (const [stack, weight] of belief) key += `${stack}:${leading(weight)},`
    let number = this.numbers.get(key)
    if (number === undefined) {
      number = this.beliefs.length
      this.held += belief.length
      if (number >= this.limit || this.held > MAX_STACKS)
        throw new PcfgError(
          'too-large',
          `the language needs more than ${this.limit} prefix states or ${MAX_STACKS} stacks; use Earley's chart and estimates instead`,
        )
      this.numbers.set(key, number)
      this.beliefs.push(belief)
    }
    return number
  }

  private expand(nonterminal: number): readonly Expansion[] {
    const known = this.expansions[nonterminal]
    if (known !== undefined) return known
    const merged = new Map<string, { terminal: number; suffix: readonly number[]; probability: number }>()
    const add = (terminal: number, suffix: readonly number[], probability: number) => {
      const key = `${terminal}/${suffix.join()}`
      const found = merged.get(key)
      if (found === undefined) merged.set(key, { terminal, suffix, probability })
      else found.probability += probability
    }
    for (const r of this.grammar.rulesOf[nonterminal] as readonly number[]) {
      const { right, probability } = this.grammar.rules[r] as PcfgRule
      const [first, ...rest] = right as readonly [number, ...number[]]
      if (isTerminal(first)) add(terminalIndex(first), rest, probability)
      else
        for (const inner of this.expand(first))
          add(inner.terminal, [...inner.suffix, ...rest], probability * inner.probability)
    }
    if (merged.size > MAX_EXPANSIONS)
      throw new PcfgError(
        'too-large',
        `${this.grammar.nonterminals[nonterminal]} has more than ${MAX_EXPANSIONS} beginnings`,
      )
    const list = [...merged.values()]
    this.expansions[nonterminal] = list
    return list
  }
}

/** A number rounded to its 40 leading bits (Dekker's split of a double). */
function leading(x: number): number {
  const wide = x * 8193
  return wide - (wide - x)
}

/** Stacks of symbols as shared linked lists; 0 is the empty stack, equal stacks have equal numbers. */
class StackPool {
  private readonly tops: number[] = [0]
  private readonly rests: number[] = [0]
  private readonly numbers = new Map<number, Map<number, number>>()

  top(stack: number): number {
    return this.tops[stack]!
  }
  rest(stack: number): number {
    return this.rests[stack]!
  }
  push(symbol: number, rest: number): number {
    let over = this.numbers.get(rest)
    if (over === undefined) {
      over = new Map()
      this.numbers.set(rest, over)
    }
    let number = over.get(symbol)
    if (number === undefined) {
      number = this.tops.length
      this.tops.push(symbol)
      this.rests.push(rest)
      over.set(symbol, number)
    }
    return number
  }
}

/** The automaton of a grammar, shared by all that walk it. @throws PcfgError for a left-recursive grammar. */
export const prefixAutomaton = memoize((grammar: Pcfg) => new PrefixAutomaton(grammar))

/** Conditional probabilities of each token and of the end (last entry), up to the first impossible one (0). */
export function conditionals(automaton: PrefixAutomaton, tokens: readonly number[]): number[] {
  const out: number[] = []
  let at = 0
  for (const token of tokens) {
    const arc = automaton.state(at).next.get(token)
    out.push(arc?.probability ?? 0)
    if (arc === undefined) return out
    at = arc.to
  }
  out.push(automaton.state(at).end)
  return out
}

/** Is the string in the language? */
export function accepts(automaton: PrefixAutomaton, tokens: readonly number[]): boolean {
  let at = 0
  for (const token of tokens) {
    const arc = automaton.state(at).next.get(token)
    if (arc === undefined) return false
    at = arc.to
  }
  return automaton.state(at).end > 0
}

/**
 * Levenshtein distance from a string to the nearest string of the language, or null where it is above `most`: the
 * shortest path over (prefix state, position) with keep for 0 and substitute, insert, delete for 1, layer by layer of
 * cost. Exact, and lazy: only states within `most` edits of the string are built.
 */
export function distanceToLanguage(automaton: PrefixAutomaton, tokens: readonly number[], most: number): number | null {
  const side = tokens.length + 1
  const seen = new Set<number>()
  let layer: number[] = [0]
  for (let cost = 0; cost <= most; cost++) {
    const next: number[] = []
    const queue = layer
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      if (seen.has(at)) continue
      seen.add(at)
      const state = Math.floor(at / side)
      const position = at % side
      const { end, next: arcs } = automaton.state(state)
      if (position === tokens.length && end > 0) return cost
      if (position < tokens.length) next.push(at + 1)
      for (const [terminal, { to }] of arcs) {
        next.push(to * side + position)
        if (position === tokens.length) continue
        const after = to * side + position + 1
        if (terminal === tokens[position]) queue.push(after)
        else next.push(after)
      }
    }
    layer = next
  }
  return null
}
