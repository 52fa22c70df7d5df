import { PairMap } from './pair-map.ts'
import { EMPTY, lettersOf, Parts } from './parts.ts'

/** Copying a letter: the piece that costs nothing. */
export const COPY = 0

/** Rules that may explain a difference, numbered; a lattice refers to them by number. */
export class Pieces {
  readonly left: string[] = ['']
  readonly right: string[] = ['']
  /** The numbers of the sides among {@link parts}. */
  readonly leftPart: number[] = [EMPTY]
  readonly rightPart: number[] = [EMPTY]
  /** The letters of its left side. */
  readonly letters: number[] = [0]
  /** What a piece weighs by itself. */
  readonly cost: number[] = [0]
  /** What it weighs at the moment, in how many pairs it could stand, and how far its weight is blurred. */
  weight = new Float64Array(1 << 12)
  count = new Int32Array(1 << 12)
  blur = new Float64Array(1 << 12)
  readonly parts = new Parts()
  private readonly ids = new PairMap()
  readonly side: number

  constructor(side: number) {
    this.side = side
  }

  get size(): number {
    return this.left.length
  }

  id(left: string, right: string): number {
    return this.of(this.parts.id(left), this.parts.id(right))
  }

  /** The piece with these parts as its sides. */
  of(leftPart: number, rightPart: number): number {
    const known = this.ids.get(leftPart, rightPart)
    if (known !== -1) return known
    const id = this.left.length
    const [left, right] = [this.parts.texts[leftPart] as string, this.parts.texts[rightPart] as string]
    this.ids.set(leftPart, rightPart, id)
    this.left.push(left)
    this.right.push(right)
    this.letters.push(lettersOf(left))
    this.leftPart.push(leftPart)
    this.rightPart.push(rightPart)
    const cost = pieceCost(right.length, this.side)
    this.cost.push(cost)
    if (id >= this.weight.length) {
      this.weight = widened(this.weight, new Float64Array(2 * id))
      this.blur = widened(this.blur, new Float64Array(2 * id))
      this.count = widened(this.count, new Int32Array(2 * id))
    }
    this.weight[id] = cost
    return id
  }
}

function widened<T extends Float64Array | Int32Array>(old: T, wider: T): T {
  wider.set(old)
  return wider
}

/** A right side longer than a rule allows needs several rules; an empty one is rare. */
export const pieceCost = (length: number, side: number): number => (length === 0 ? 1.7 : Math.ceil(length / side))
