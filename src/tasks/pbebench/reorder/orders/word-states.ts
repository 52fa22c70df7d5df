import { type Rule, replaceAll } from '../../../../libraries/rewriting/index.ts'
import { BREAK, corpusOf } from '../../sampling/left-sides.ts'

/** The orders of fewer rules are walked before it is seen which words depend on them. */
const FEW_RULES = 8
/** A word of which more or longer texts can come, or that more rules can change, is not looked at any closer. */
const MAX_TEXTS = 64
const MAX_LETTERS = 64
const MAX_RULES = 8

/**
 * What some words are after some rules. Words are numbered as they are met and each is rewritten once by each rule, so
 * that a state is a list of small integers: to move on or to compare two takes no text. Words that are the same after the
 * same rules in whatever order tell no two states apart, and are left out.
 */
export class WordStates {
  private readonly rules: readonly Rule[]
  private readonly texts: string[] = []
  private readonly numbers = new Map<string, number>()
  /** By rule, the number of the word that it makes of each word; -1 where it was not asked yet. */
  private readonly made: readonly number[][]
  private readonly width: number
  private room: Int32Array = new Int32Array(1024)
  private readonly hashes: number[] = []
  /** Of the state that came last. It lies at the end of the room until the next one, unless it is kept. */
  hash = 0

  /** The first state, the inputs, is the one that came last. */
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
      this.hash = (this.hash + mixed(place, number)) | 0
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
      if (number !== before) hash = (hash + mixed(place, number) - mixed(place, before)) | 0
    }
    this.hash = hash
  }

  /** Keeps the state that came last, and numbers it. */
  keep(): number {
    return this.hashes.push(this.hash) - 1
  }

  /** Is a state that was kept the one that came last? */
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
function mixed(place: number, number: number): number {
  const x = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(place + 1, 0x85ebca6b)
  const y = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d)
  return y ^ (y >>> 13)
}
