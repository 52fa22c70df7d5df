/** The empty word. */
export const NOTHING = 0

/** Words between inputs and outputs, numbered. */
export class WordTable {
  readonly texts: string[] = ['']
  /** {@link lettersOf} them. */
  readonly letters: number[] = [0]
  private readonly ids = new Map<string, number>([['', NOTHING]])
  private readonly found: Int32Array[] = []
  private readonly parts: SubstringTable
  private readonly side: number

  /** `side`: maximum length of the parts. */
  constructor(parts: SubstringTable, side: number) {
    this.parts = parts
    this.side = side
  }

  get size(): number {
    return this.texts.length
  }

  id(text: string): number {
    let id = this.ids.get(text)
    if (id === undefined) {
      id = this.texts.length
      this.texts.push(text)
      this.letters.push(lettersOf(text))
      this.ids.set(text, id)
    }
    return id
  }

  /** The parts of a word that can be left sides, each once. */
  partsOf(id: number): Int32Array {
    let found = this.found[id]
    if (found === undefined) {
      const word = this.texts[id] as string
      const all = new Set<number>()
      for (let at = 0; at < word.length; at++) {
        let part = EMPTY
        for (let end = at; end < Math.min(word.length, at + this.side); end++) {
          part = this.parts.and(part, word.charCodeAt(end))
          all.add(part)
        }
      }
      found = Int32Array.from(all)
      this.found[id] = found
    }
    return found
  }
}

/** The empty part. */
export const EMPTY = 0

/** Substrings, numbered; each is stored as a shorter one and its last letter. */
export class SubstringTable {
  readonly texts: string[] = ['']
  /** {@link lettersOf} them. */
  readonly letters: number[] = [0]
  private readonly longer = new PairNumbers()

  id(text: string): number {
    let part = EMPTY
    for (let at = 0; at < text.length; at++) part = this.and(part, text.charCodeAt(at))
    return part
  }

  /** A part with one more letter. */
  and(part: number, letter: number): number {
    const id = this.longer.of(part, letter) + 1
    if (id === this.texts.length) {
      const text = (this.texts[part] as string) + String.fromCharCode(letter)
      this.texts.push(text)
      this.letters.push(lettersOf(text))
    }
    return id
  }
}

/** The letters of a text as bits; several letters share one. */
function lettersOf(text: string): number {
  let bits = 0
  for (let at = 0; at < text.length; at++) bits |= 1 << (text.charCodeAt(at) & 31)
  return bits
}

/** Copying a letter: the piece that costs nothing. */
export const COPY = 0

/** Rules that may explain a difference, numbered; a lattice refers to them by number. */
export class RuleTable {
  readonly parts = new SubstringTable()
  /** What a piece weighs by itself. */
  cost = new Float64Array(1 << 12)
  /** What it weighs at the moment, in how many pairs it could stand, and how far its weight is blurred. */
  weight = new Float64Array(1 << 12)
  count = new Int32Array(1 << 12)
  blur = new Float64Array(1 << 12)
  readonly side: number
  /** Pairs of parts, the sides. */
  private readonly ids = new PairNumbers()

  constructor(side: number) {
    this.side = side
    this.ids.of(EMPTY, EMPTY)
  }

  get size(): number {
    return this.ids.size
  }

  id(left: string, right: string): number {
    return this.of(this.parts.id(left), this.parts.id(right))
  }

  /** The piece with these parts as its sides. */
  of(left: number, right: number): number {
    const { size } = this.ids
    const id = this.ids.of(left, right)
    if (id === size) this.add(id, (this.parts.texts[right] as string).length)
    return id
  }

  leftPart(id: number): number {
    return this.ids.first(id)
  }

  rightPart(id: number): number {
    return this.ids.second(id)
  }

  left(id: number): string {
    return this.parts.texts[this.ids.first(id)] as string
  }

  right(id: number): string {
    return this.parts.texts[this.ids.second(id)] as string
  }

  private add(id: number, letters: number): void {
    if (id === this.cost.length) {
      this.cost = widened(this.cost, new Float64Array(2 * id))
      this.weight = widened(this.weight, new Float64Array(2 * id))
      this.blur = widened(this.blur, new Float64Array(2 * id))
      this.count = widened(this.count, new Int32Array(2 * id))
    }
    this.cost[id] = pieceCost(letters, this.side)
    this.weight[id] = this.cost[id] as number
  }
}

function widened<T extends Float64Array | Int32Array>(old: T, wider: T): T {
  wider.set(old)
  return wider
}

/** A right side longer than a rule allows needs several rules; an empty one is rare. */
export const pieceCost = (length: number, side: number): number => (length === 0 ? 1.7 : Math.ceil(length / side))

/** Numbers pairs of non-negative integers in order of first use. The hottest table of the search: open addressing. */
export class PairNumbers {
  size = 0
  /** Numbers of pairs, raised by 1; 0: the slot is free. */
  private slots = new Int32Array(1 << 10)
  private pairs = new Int32Array(1 << 10)

  /** The number of a pair; one that is new gets the next, which is `size` before. */
  of(first: number, second: number): number {
    const { slots, pairs } = this
    for (let slot = this.slotOf(first, second); ; slot = (slot + 1) & (slots.length - 1)) {
      const number = (slots[slot] as number) - 1
      if (number === -1) return this.add(slot, first, second)
      if (pairs[2 * number] === first && pairs[2 * number + 1] === second) return number
    }
  }

  first(number: number): number {
    return this.pairs[2 * number] as number
  }

  second(number: number): number {
    return this.pairs[2 * number + 1] as number
  }

  /** Where the search for a pair begins. */
  private slotOf(first: number, second: number): number {
    const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)
    return (mixed ^ (mixed >>> 15)) & (this.slots.length - 1)
  }

  private add(slot: number, first: number, second: number): number {
    const number = this.size++
    this.slots[slot] = number + 1
    this.pairs[2 * number] = first
    this.pairs[2 * number + 1] = second
    if (2 * this.size === this.slots.length) this.widen()
    return number
  }

  private widen(): void {
    const { pairs } = this
    this.pairs = new Int32Array(2 * pairs.length)
    this.pairs.set(pairs)
    const slots = new Int32Array(2 * this.slots.length)
    this.slots = slots
    for (let number = 0; number < this.size; number++) {
      let slot = this.slotOf(pairs[2 * number] as number, pairs[2 * number + 1] as number)
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1)
      slots[slot] = number + 1
    }
  }
}
