import { NOTHING, type WordTable } from './word-tables.ts'

/** Which of some words hold a part. */
export class SubstringIndex {
  /** For each part the number of words, then a bit for each place. */
  private table: Int32Array
  private readonly stride: number
  private readonly words: WordTable

  constructor(words: WordTable, places: number) {
    this.words = words
    this.stride = 1 + Math.ceil(places / 32)
    this.table = new Int32Array(this.stride << 8)
  }

  /** Adds a word at a place, or removes it. */
  flip(place: number, word: number, change: 1 | -1): void {
    const { stride } = this
    const parts = this.words.partsOf(word)
    const [row, bit] = [1 + (place >> 5), 1 << (place & 31)]
    for (let k = 0; k < parts.length; k++) {
      const at = (parts[k] as number) * stride
      if (at >= this.table.length) this.widen(at)
      const { table } = this
      table[at] = (table[at] as number) + change
      table[at + row] = (table[at + row] as number) ^ bit
    }
  }

  /** How many words hold a part. */
  of(part: number): number {
    return this.read(part, 0)
  }

  /** Does the word at a place hold a part? All hold the empty one. */
  has(part: number, place: number): boolean {
    return part === NOTHING || ((this.read(part, 1 + (place >> 5)) >> (place & 31)) & 1) === 1
  }

  /** The places whose words contain one part or the other, in order. */
  places(part: number, other = part): number[] {
    const found: number[] = []
    for (let row = 1; row < this.stride; row++) {
      let rest = this.read(part, row) | this.read(other, row)
      for (; rest !== 0; rest &= rest - 1) found.push(32 * row - 1 - Math.clz32(rest & -rest))
    }
    return found
  }

  private read(part: number, row: number): number {
    const at = part * this.stride + row
    return at < this.table.length ? (this.table[at] as number) : 0
  }

  private widen(at: number): void {
    const wider = new Int32Array(2 * at)
    wider.set(this.table)
    this.table = wider
  }
}
