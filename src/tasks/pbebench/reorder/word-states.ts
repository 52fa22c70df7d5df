import { type Rule, replaceAll } from '../../../rewriting/index.ts'
import { BREAK, corpusOf } from '../sampling/left-sides.ts'

/** What all words are at one time. */
export interface WordState {
  /** Where the numbers of its words begin in the room of {@link WordStates}. */
  readonly at: number
  readonly hash: number
}

/** States of equal hash in one set. */
type Chains<S> = Map<number, S[]>

/**
 * States of some words under some rules. Words are numbered as they are met and each is rewritten once by each rule, so
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
  private end = 0
  readonly start: WordState

  constructor(inputs: readonly string[], rules: readonly Rule[]) {
    this.rules = rules
    this.made = rules.map(() => [])
    // A rule may reach over the end of a word only where it has the break in it.
    const apart = rules.some(([left, right]) => (left + right).includes(BREAK)) ? [corpusOf(inputs)] : inputs
    // What no rule changes stays as it is in whatever order.
    const words = apart.filter((word) => rules.some((rule) => replaceAll(word, rule) !== word))
    this.width = words.length
    this.reserve()
    let hash = 0
    for (const [place, word] of words.entries()) {
      const number = this.numberOf(word)
      this.room[place] = number
      hash = (hash + mixed(place, number)) | 0
    }
    this.start = { at: 0, hash }
    this.end = this.width
  }

  /**
   * The state that one rule makes of another. It lies at the end of the room until the next call, unless `keep` is
   * called before.
   */
  after({ at, hash }: WordState, rule: number): WordState {
    this.reserve()
    const { room, end, width } = this
    const made = this.made[rule] as number[]
    let now = hash
    for (let place = 0; place < width; place++) {
      const before = room[at + place] as number
      let number = made[before] as number
      if (number < 0) {
        number = this.numberOf(replaceAll(this.texts[before] as string, this.rules[rule] as Rule))
        made[before] = number
      }
      room[end + place] = number
      if (number !== before) now = (now + mixed(place, number) - mixed(place, before)) | 0
    }
    return { at: end, hash: now }
  }

  keep(): void {
    this.end += this.width
  }

  /** The one of the chains that is equal to a state. */
  find<S extends WordState>(chains: Chains<S>, state: WordState): S | undefined {
    return chains.get(state.hash)?.find(({ at }) => this.equal(at, state.at))
  }

  private equal(a: number, b: number): boolean {
    for (let place = 0; place < this.width; place++) if (this.room[a + place] !== this.room[b + place]) return false
    return true
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

  private reserve(): void {
    if (this.end + this.width <= this.room.length) return
    const larger = new Int32Array(Math.max(2 * this.room.length, this.end + this.width))
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
