/** The empty text. */
export const NOTHING = 0

/** Texts, numbered in order of first use. */
export class TextTable {
  readonly texts: string[] = ['']
  private readonly ids = new Map<string, number>([['', NOTHING]])

  id(text: string): number {
    let id = this.ids.get(text)
    if (id === undefined) {
      id = this.texts.push(text) - 1
      this.ids.set(text, id)
    }
    return id
  }
}

/** Words between inputs and outputs. */
export class WordTable extends TextTable {
  private readonly found: (readonly number[])[] = []
  private readonly parts: TextTable
  private readonly side: number

  /** `side`: maximum length of the parts. */
  constructor(parts: TextTable, side: number) {
    super()
    this.parts = parts
    this.side = side
  }

  /** The parts of a word that can be left sides, each once. */
  partsOf(id: number): readonly number[] {
    const known = this.found[id]
    if (known !== undefined) return known
    const word = this.texts[id] as string
    const all = new Set<number>()
    for (let at = 0; at < word.length; at++)
      for (let end = at + 1; end <= Math.min(word.length, at + this.side); end++)
        all.add(this.parts.id(word.slice(at, end)))
    const found = [...all]
    this.found[id] = found
    return found
  }
}

/** Copying a letter: the piece that costs nothing. */
export const COPY = 0

/** Rules that may explain a difference, numbered; a lattice refers to them by number. */
export class RuleTable {
  readonly parts = new TextTable()
  /** Weight of a piece alone. */
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
    this.add(this.ids.of(NOTHING, NOTHING), 0)
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
