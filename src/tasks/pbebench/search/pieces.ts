import { PairNumbers } from './pair-numbers.ts'
import { EMPTY, Parts } from './parts.ts'

/** Copying a letter: the piece that costs nothing. */
export const COPY = 0

/** Rules that may explain a difference, numbered; a lattice refers to them by number. */
export class Pieces {
  readonly parts = new Parts()
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
