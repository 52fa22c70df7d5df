import { below, type Stream } from '../../../core/index.ts'
import { type Rule, replaceAll } from '../../../libraries/rewriting/index.ts'
import { BREAK, corpusOf } from '../sampling/left-sides.ts'

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

  /** Walks every order; false: more states than the limit. */
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

  /** The steps that lead to a state. Rarely needed, so they are recomputed instead of stored. */
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

  /** Adds the state of a set of rules and the latest words, reached by `orders` more orders. */
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

/** The orders of fewer rules are walked before it is seen which words depend on them. */
const FEW_RULES = 8
/** Limits of the exact analysis of a word: number and length of its texts, and number of rules that change it. */
const MAX_TEXTS = 64
const MAX_LETTERS = 64
const MAX_RULES = 8

/**
 * Texts of words after sets of rules. Texts are numbered and rewritten once per rule, so that a state is a list of
 * small integers. Words with one text per set of rules distinguish no states and are omitted.
 */
class WordStates {
  private readonly rules: readonly Rule[]
  private readonly texts: string[] = []
  private readonly numbers = new Map<string, number>()
  /** By rule and text number, the number of the rewritten text; -1: not computed yet. */
  private readonly made: readonly number[][]
  private readonly width: number
  private room: Int32Array = new Int32Array(1024)
  private readonly hashes: number[] = []
  /** Of the state that came last. It lies at the end of the room until the next one, unless it is kept. */
  hash = 0

  /** The first state, the inputs, is the latest. */
  constructor(inputs: readonly string[], rules: readonly Rule[]) {
    this.rules = rules
    this.made = rules.map(() => [])
    // A rule may reach over the end of a word only where it has the break in it.
    const apart = rules.some(([left, right]) => (left + right).includes(BREAK)) ? [corpusOf(inputs)] : inputs
    const words = apart
      .map((word) => this.numberOf(word))
      .filter((number) => (rules.length < FEW_RULES ? this.canChange(number) : this.dependsOnOrder(number)))
    this.width = words.length
    this.reserve()
    for (const [place, number] of words.entries()) {
      this.room[place] = number
      this.hash = (this.hash + mixHash(place, number)) | 0
    }
  }

  /** What a rule makes of a state that was kept. */
  follow(state: number, rule: number): void {
    this.reserve()
    const { room, width } = this
    const [from, to] = [state * width, this.hashes.length * width]
    const made = this.made[rule] as number[]
    let hash = this.hashes[state] as number
    for (let place = 0; place < width; place++) {
      const before = room[from + place] as number
      const known = made[before] as number
      const number = known < 0 ? this.rewritten(before, rule) : known
      room[to + place] = number
      if (number !== before) hash = (hash + mixHash(place, number) - mixHash(place, before)) | 0
    }
    this.hash = hash
  }

  /** Keeps the state that came last, and numbers it. */
  keep(): number {
    return this.hashes.push(this.hash) - 1
  }

  /** Is a stored state the latest one? */
  isLast(state: number): boolean {
    if (this.hashes[state] !== this.hash) return false
    const { room, width } = this
    const [own, last] = [state * width, this.hashes.length * width]
    for (let place = 0; place < width; place++) if (room[own + place] !== room[last + place]) return false
    return true
  }

  hashOf(state: number): number {
    return this.hashes[state] as number
  }

  /** The number of the word that a rule makes of a word. */
  private rewritten(word: number, rule: number): number {
    const made = this.made[rule] as number[]
    const known = made[word] as number
    if (known >= 0) return known
    const number = this.numberOf(replaceAll(this.texts[word] as string, this.rules[rule] as Rule))
    made[word] = number
    return number
  }

  private canChange(word: number): boolean {
    return this.rules.some((_, rule) => this.rewritten(word, rule) !== word)
  }

  /** Can two orders of the same rules make different words of a word? true also where that takes too long to see. */
  private dependsOnOrder(word: number): boolean {
    const rules = this.rulesThatChange(word)
    if (rules === null || rules.length > MAX_RULES) return true
    // By set of rules, what they make of the word. A set has a higher number than all of its subsets.
    const after = new Int32Array(1 << rules.length).fill(-1)
    after[0] = word
    for (let used = 0; used < after.length; used++)
      for (let k = 0; k < rules.length; k++) {
        if ((used & (1 << k)) !== 0) continue
        const next = used | (1 << k)
        const number = this.rewritten(after[used] as number, rules[k] as number)
        if (after[next] !== -1 && after[next] !== number) return true
        after[next] = number
      }
    return false
  }

  /** The rules that change a word or what rules can make of it; null where they can make too much. */
  private rulesThatChange(word: number): readonly number[] | null {
    const met = new Set([word])
    const changing = new Set<number>()
    for (const one of met)
      for (let rule = 0; rule < this.rules.length; rule++) {
        const number = this.rewritten(one, rule)
        if (number === one) continue
        changing.add(rule)
        if (met.add(number).size > MAX_TEXTS || (this.texts[number] as string).length > MAX_LETTERS) return null
      }
    return [...changing]
  }

  private numberOf(text: string): number {
    let number = this.numbers.get(text)
    if (number === undefined) {
      number = this.texts.push(text) - 1
      this.numbers.set(text, number)
      for (const made of this.made) made.push(-1)
    }
    return number
  }

  /** Room for one state more. */
  private reserve(): void {
    const needed = (this.hashes.length + 1) * this.width
    if (needed <= this.room.length) return
    const larger = new Int32Array(Math.max(2 * this.room.length, needed))
    larger.set(this.room)
    this.room = larger
  }
}

/** Spreads a word at a place over 32 bits; the sum over all places is the hash of a state. */
function mixHash(place: number, number: number): number {
  const x = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(place + 1, 0x85ebca6b)
  const y = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d)
  return y ^ (y >>> 13)
}
