import { ContextTreeWeighting, kneserNey, Markov, ppm } from './context-models.ts'
import { type SequenceLearner, uniform } from './learner.ts'

/** The Bayes mixture of several learners with fixed share (Herbster and Warmuth 1998): weights move to those that predict well. */
export class Mixture implements SequenceLearner {
  readonly size: number
  private readonly members: readonly SequenceLearner[]
  private readonly share: number
  private weights: Float64Array
  private readonly past: { readonly weights: Float64Array; readonly marks: readonly number[] }[] = []

  constructor(members: readonly [SequenceLearner, ...SequenceLearner[]], share = 0.01) {
    this.size = members[0].size
    this.members = members
    this.share = share
    this.weights = new Float64Array(members.length).fill(1 / members.length)
  }

  probability(symbol: number): number {
    let sum = 0
    for (const [i, member] of this.members.entries()) sum += (this.weights[i] as number) * member.probability(symbol)
    return sum
  }

  read(symbol: number): void {
    this.past.push({ weights: this.weights, marks: this.members.map((member) => member.mark()) })
    const joint = this.members.map((member, i) => (this.weights[i] as number) * member.probability(symbol))
    let total = 0
    for (const p of joint) total += p
    this.weights = Float64Array.from(joint, (p) => (1 - this.share) * (p / total) + this.share / joint.length)
    for (const member of this.members) member.read(symbol)
  }

  mark(): number {
    return this.past.length
  }
  rewind(mark: number): void {
    const then = this.past[mark]
    if (then === undefined) return
    this.weights = then.weights
    for (const [i, member] of this.members.entries()) member.rewind(then.marks[i] as number)
    this.past.length = mark
  }
}

/** The standard mixture: Kneser-Ney of orders 6 and 3, context-tree weighting of depth 8, longest match. */
export const mixture = (size: number): SequenceLearner =>
  new Mixture([kneserNey(size, 6), kneserNey(size, 3), new ContextTreeWeighting(size, 8, 0.05), new LongestMatch(size)])

/**
 * Predicts what followed the longest earlier occurrence of the current suffix (up to `longest` symbols), as an induction
 * head does; trust grows with the length of the match and the number of occurrences.
 */
export class LongestMatch implements SequenceLearner {
  readonly size: number
  private readonly longest: number
  private history = ''
  private found: {
    readonly at: number
    readonly counts: Int32Array
    readonly total: number
    readonly length: number
  } | null = null

  constructor(size: number, longest = 24) {
    if (size > 60_000) throw new RangeError(`a longest-match model has at most 60000 symbols, got ${size}`)
    this.size = size
    this.longest = longest
  }

  probability(symbol: number): number {
    const { counts, total, length } = this.find()
    const doubt = 1 / (1 + length + total)
    const copied = total === 0 ? 1 / this.size : (counts[symbol] as number) / total
    return (1 - doubt) * copied + doubt / this.size
  }

  read(symbol: number): void {
    this.history += String.fromCharCode(symbol)
    this.found = null
  }

  mark(): number {
    return this.history.length
  }
  rewind(mark: number): void {
    this.history = this.history.slice(0, mark)
    this.found = null
  }

  private find() {
    if (this.found !== null && this.found.at === this.history.length) return this.found
    const { history } = this
    const n = history.length
    // A suffix that occurred earlier has suffixes that did: the longest is found by bisection.
    let low = 0
    let high = Math.min(this.longest, n - 1)
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (history.lastIndexOf(history.slice(n - middle), n - middle - 1) >= 0) low = middle
      else high = middle - 1
    }
    const counts = new Int32Array(this.size)
    let total = 0
    if (low > 0) {
      const suffix = history.slice(n - low)
      for (let at = history.indexOf(suffix); at >= 0 && at + low < n; at = history.indexOf(suffix, at + 1)) {
        counts[history.charCodeAt(at + low)]! += 1
        total++
      }
    }
    this.found = { at: n, counts, total, length: total === 0 ? 0 : low }
    return this.found
  }
}

const plain: { readonly [name: string]: (size: number) => SequenceLearner } = {
  uniform,
  unigram: (size) => new Markov(size, 0),
  ppm: (size) => ppm(size),
  ctw: (size) => new ContextTreeWeighting(size),
  match: (size) => new LongestMatch(size),
  mixture,
}
const withOrder: { readonly [name: string]: (size: number, order: number) => SequenceLearner } = {
  markov: (size, order) => new Markov(size, order),
  'kneser-ney': kneserNey,
}

/** A maker of learners by name (`ppm`, `markov:3`; orders are 1..12), or null for a name it does not know. */
export function makeLearner(name: string): ((size: number) => SequenceLearner) | null {
  const found = plain[name]
  if (found !== undefined && Object.hasOwn(plain, name)) return found
  const [family = '', order = ''] = name.split(':')
  const make = Object.hasOwn(withOrder, family) ? withOrder[family] : undefined
  if (make === undefined || !/^(?:[1-9]|1[0-2])$/u.test(order) || name !== `${family}:${order}`) return null
  return (size) => make(size, Number(order))
}
