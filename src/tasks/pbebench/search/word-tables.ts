/** The empty word. */
export const NOTHING = 0

/** Words between inputs and outputs, numbered. */
export class WordTable {
  readonly texts: string[] = ['']
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
    }
    return id
  }
}

/** Copying a letter: the piece that costs nothing. */
export const COPY = 0

/** Rules that may explain a difference, numbered; a lattice refers to them by number. */
export class RuleTable {
  readonly parts = new SubstringTable()
  /** What a piece weighs by itself. */
  readonly cost: number[] = []
  /** What it weighs at the moment, in how many pairs it could stand, and how far its weight is blurred. */
  readonly weight: number[] = []
  readonly count: number[] = []
  readonly blur: number[] = []
  readonly side: number
  /** Pairs of parts, the sides. */
  private readonly ids = new PairNumbers()

  constructor(side: number) {
    this.side = side
    this.add(this.ids.of(EMPTY, EMPTY), 0)
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
    if (id === size) this.add(id, pieceCost((this.parts.texts[right] as string).length, this.side))
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

  private add(id: number, cost: number): void {
    this.cost[id] = cost
    this.weight[id] = cost
    this.count[id] = 0
    this.blur[id] = 0
  }
}

/** A right side longer than a rule allows needs several rules; an empty one is rare. */
export const pieceCost = (length: number, side: number): number => (length === 0 ? 1.7 : Math.ceil(length / side))

/** Numbers pairs of integers from 0 to 2^26 in order of first use. */
export class PairNumbers {
  private readonly numbers = new Map<number, number>()
  private readonly pairs: number[] = []

  get size(): number {
    return this.numbers.size
  }

  /** The number of a pair; one that is new gets the next, which is `size` before. */
  of(first: number, second: number): number {
    const pair = first * 0x4000000 + second
    const known = this.numbers.get(pair)
    if (known !== undefined) return known
    this.pairs.push(first, second)
    this.numbers.set(pair, this.numbers.size)
    return this.numbers.size - 1
  }

  first(number: number): number {
    return this.pairs[2 * number] as number
  }

  second(number: number): number {
    return this.pairs[2 * number + 1] as number
  }
}
