import { type Rule, replaceAll } from '../../../rewriting/index.ts'
import { BREAK, corpusOf } from '../sampling/left-sides.ts'

/**
 * What some words are after some rules. Words are numbered as they are met and each is rewritten once by each rule, so
 * that a state is a list of small integers: to move on or to compare two takes no text.
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
    // What no rule changes stays as it is in whatever order.
    const words = apart.filter((word) => rules.some((rule) => replaceAll(word, rule) !== word))
    this.width = words.length
    this.reserve()
    for (const [place, word] of words.entries()) {
      const number = this.numberOf(word)
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
      let number = made[before] as number
      if (number < 0) {
        number = this.numberOf(replaceAll(this.texts[before] as string, this.rules[rule] as Rule))
        made[before] = number
      }
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
