/** Sets of small integers by row. */
export class BitRows {
  private readonly bits: Uint32Array
  private readonly words: number

  constructor(rows: number, columns: number) {
    this.words = Math.ceil(columns / 32)
    this.bits = new Uint32Array(rows * this.words)
  }

  has(row: number, column: number): boolean {
    return (((this.bits[row * this.words + (column >>> 5)] as number) >>> (column & 31)) & 1) === 1
  }

  add(row: number, column: number): void {
    const at = row * this.words + (column >>> 5)
    this.bits[at] = (this.bits[at] as number) | (1 << (column & 31))
  }

  /** Adds a row of rows as wide to one; whether it was more than that had. */
  include(row: number, rows: BitRows, other: number): boolean {
    let changed = 0
    for (let i = 0; i < this.words; i++) {
      const at = row * this.words + i
      const own = this.bits[at] as number
      const more = (rows.bits[other * this.words + i] as number) & ~own
      this.bits[at] = own | more
      changed |= more
    }
    return changed !== 0
  }
}
