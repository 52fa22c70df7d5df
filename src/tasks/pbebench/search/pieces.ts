import { Parts } from './parts.ts'

/** Copying a letter: the piece that costs nothing. */
export const COPY = 0

/** The pieces with the same left side, by right side. */
export type Row = Map<string, number>

/** Rules that may explain a difference, numbered; a lattice refers to them by number. */
export class Pieces {
  readonly left: string[] = ['']
  readonly right: string[] = ['']
  /** The number of the left side among {@link parts}. */
  readonly part: number[] = [-1]
  /** What a piece weighs by itself. */
  readonly cost: number[] = [0]
  /** What it weighs at the moment, in how many pairs it could stand, and how far its weight is blurred. */
  weight = new Float64Array(1 << 12)
  count = new Int32Array(1 << 12)
  blur = new Float64Array(1 << 12)
  readonly parts: Parts
  private readonly rows = new Map<string, Row>()
  readonly side: number

  constructor(side: number) {
    this.side = side
    this.parts = new Parts(side)
  }

  get size(): number {
    return this.left.length
  }

  id(left: string, right: string): number {
    return this.idIn(this.row(left), left, right)
  }

  row(left: string): Row {
    let row = this.rows.get(left)
    if (row === undefined) {
      row = new Map()
      this.rows.set(left, row)
    }
    return row
  }

  /** As {@link id}, in the row of the left side. */
  idIn(row: Row, left: string, right: string): number {
    const known = row.get(right)
    if (known !== undefined) return known
    const id = this.left.length
    row.set(right, id)
    this.left.push(left)
    this.right.push(right)
    this.part.push(this.parts.id(left))
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
