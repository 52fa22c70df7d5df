import { below, type Stream } from '../../../core/index.ts'
import type { Rule } from '../../../rewriting/index.ts'
import { WordStates } from './word-states.ts'

/** The end of a list of states or steps. */
const END = -1

/**
 * All that the orders of some rules can make of some words: states (which rules are used, what the words are now),
 * numbered as they are met, so that orders that meet are counted together. Kept in flat lists, for hundreds of
 * thousands of states are walked for one item.
 */
export class StateWalk {
  private readonly words: WordStates
  private readonly size: number
  /** By state: the rules used as a binary number, and how many orders come here. */
  private readonly used: number[] = []
  private readonly orders: number[] = []
  /** By state, the first and the last of the steps by which orders come here. */
  private readonly firstStep: number[] = []
  private readonly lastStep: number[] = []
  /** By step: where it comes from, by which rule, and the next one into the same state. */
  private readonly stepFrom: number[] = []
  private readonly stepRule: number[] = []
  private readonly stepNext: number[] = []
  /** By set of rules, the first and the last of its states; by state, the next one of its set. */
  private readonly firstState: Int32Array
  private readonly lastState: Int32Array
  private readonly stateNext: number[] = []
  /** Open addressing by set and hash: 1 + the state, or 0. */
  private table = new Int32Array(256)

  constructor(inputs: readonly string[], rules: readonly Rule[]) {
    this.words = new WordStates(inputs, rules)
    this.size = rules.length
    this.firstState = new Int32Array(1 << rules.length).fill(END)
    this.lastState = new Int32Array(1 << rules.length).fill(END)
    this.meet(0, 1)
  }

  /** Walks every order; false where there are more than so many states. */
  walk(most: number): boolean {
    const { firstState, stateNext, orders, size } = this
    const full = (1 << size) - 1
    // A set of rules has a higher number than all of its subsets.
    for (let used = 0; used < full; used++)
      for (let state = firstState[used] as number; state !== END; state = stateNext[state] as number)
        for (let rule = 0; rule < size; rule++) {
          if ((used & (1 << rule)) !== 0) continue
          this.words.follow(state, rule)
          const next = this.meet(used | (1 << rule), orders[state] as number)
          this.step(state, rule, next)
          if (this.used.length > most) return false
        }
    return true
  }

  /** The states after all rules, in the order in which they were met. */
  endings(): number[] {
    const found: number[] = []
    const full = (1 << this.size) - 1
    for (let state = this.firstState[full] as number; state !== END; state = this.stateNext[state] as number)
      found.push(state)
    return found
  }

  /** How many orders end in a state. */
  ordersTo(state: number): number {
    return this.orders[state] as number
  }

  /** The order by which a state was first met. */
  firstOrder(end: number): number[] {
    const order: number[] = []
    for (let step = this.firstStep[end] as number; step !== END; ) {
      order.push(this.stepRule[step] as number)
      step = this.firstStep[this.stepFrom[step] as number] as number
    }
    return order.reverse()
  }

  /** One of the orders that end in a state, each equally likely. */
  drawOrder(end: number, stream: Stream): number[] {
    const order: number[] = []
    for (let state = end; this.firstStep[state] !== END; ) {
      let left = below(stream, this.orders[state] as number)
      let step = this.firstStep[state] as number
      for (;;) {
        left -= this.orders[this.stepFrom[step] as number] as number
        if (left < 0) break
        step = this.stepNext[step] as number
      }
      order.push(this.stepRule[step] as number)
      state = this.stepFrom[step] as number
    }
    return order.reverse()
  }

  /** The state of a set of rules and the words that came last, with so many orders more. */
  private meet(used: number, orders: number): number {
    if (2 * this.used.length >= this.table.length) this.grow()
    const mask = this.table.length - 1
    let slot = this.slot(used, this.words.hash)
    for (let entry = this.table[slot] as number; entry !== 0; entry = this.table[slot] as number) {
      const state = entry - 1
      if (this.used[state] === used && this.words.isLast(state)) {
        this.orders[state] = (this.orders[state] as number) + orders
        return state
      }
      slot = (slot + 1) & mask
    }
    const state = this.words.keep()
    this.table[slot] = state + 1
    this.used.push(used)
    this.orders.push(orders)
    this.firstStep.push(END)
    this.lastStep.push(END)
    this.stateNext.push(END)
    const last = this.lastState[used] as number
    if (last === END) this.firstState[used] = state
    else this.stateNext[last] = state
    this.lastState[used] = state
    return state
  }

  private step(from: number, rule: number, to: number): void {
    const step = this.stepFrom.push(from) - 1
    this.stepRule.push(rule)
    this.stepNext.push(END)
    const last = this.lastStep[to] as number
    if (last === END) this.firstStep[to] = step
    else this.stepNext[last] = step
    this.lastStep[to] = step
  }

  private slot(used: number, hash: number): number {
    const x = hash ^ Math.imul(used, 0x9e3779b1)
    return (x ^ (x >>> 15)) & (this.table.length - 1)
  }

  private grow(): void {
    this.table = new Int32Array(2 * this.table.length)
    const mask = this.table.length - 1
    for (const [state, used] of this.used.entries()) {
      let slot = this.slot(used, this.words.hashOf(state))
      while (this.table[slot] !== 0) slot = (slot + 1) & mask
      this.table[slot] = state + 1
    }
  }
}
