import { below, type Stream } from '../../../../core/index.ts'
import type { Rule } from '../../../../libraries/rewriting/index.ts'
import { WordStates } from './word-states.ts'

/** The end of a list of states; the rule that led to the first of them. */
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
  /** By state: from which state, and by which rule, it was first met. */
  private readonly metFrom: number[] = []
  private readonly metBy: number[] = []
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
    this.meet(0, 1, END, END)
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
          this.meet(used | (1 << rule), orders[state] as number, state, rule)
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
    for (let state = end; this.metBy[state] !== END; state = this.metFrom[state] as number)
      order.push(this.metBy[state] as number)
    return order.reverse()
  }

  /** One of the orders that end in a state, each equally likely. */
  drawOrder(end: number, stream: Stream): number[] {
    const order: number[] = []
    for (let state = end; this.metBy[state] !== END; ) {
      let left = below(stream, this.orders[state] as number)
      for (const step of this.stepsTo(state)) {
        left -= this.orders[step.from] as number
        if (left >= 0) continue
        order.push(step.rule)
        state = step.from
        break
      }
    }
    return order.reverse()
  }

  /** The steps by which orders come to a state, as they were walked. Few are asked for, so none is kept. */
  private *stepsTo(state: number): Generator<{ readonly from: number; readonly rule: number }> {
    const used = this.used[state] as number
    for (let rule = this.size - 1; rule >= 0; rule--) {
      if ((used & (1 << rule)) === 0) continue
      const first = this.firstState[used ^ (1 << rule)] as number
      for (let from = first; from !== END; from = this.stateNext[from] as number) {
        this.words.follow(from, rule)
        if (this.words.isLast(state)) yield { from, rule }
      }
    }
  }

  /** The state of a set of rules and the words that came last: so many orders more come to it, by a step. */
  private meet(used: number, orders: number, from: number, rule: number): void {
    if (2 * this.used.length >= this.table.length) this.grow()
    const mask = this.table.length - 1
    let slot = this.slot(used, this.words.hash)
    for (let entry = this.table[slot] as number; entry !== 0; entry = this.table[slot] as number) {
      const state = entry - 1
      if (this.used[state] === used && this.words.isLast(state)) {
        this.orders[state] = (this.orders[state] as number) + orders
        return
      }
      slot = (slot + 1) & mask
    }
    const state = this.words.keep()
    this.table[slot] = state + 1
    this.used.push(used)
    this.orders.push(orders)
    this.metFrom.push(from)
    this.metBy.push(rule)
    this.stateNext.push(END)
    const last = this.lastState[used] as number
    if (last === END) this.firstState[used] = state
    else this.stateNext[last] = state
    this.lastState[used] = state
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
