import { kneserNey } from './back-off.ts'
import { ContextTreeWeighting } from './ctw.ts'
import type { SequenceLearner } from './learner.ts'
import { LongestMatch } from './longest-match.ts'

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
