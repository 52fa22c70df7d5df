import { EMPTY } from './parts.ts'
import type { Words } from './words.ts'

/** Which of some words hold a part. */
export class Census {
  private counts = new Int32Array(1 << 8)
  /** A bit for each place, `rows` numbers for each part. */
  private bits: Int32Array
  private readonly rows: number
  private readonly words: Words

  constructor(words: Words, places: number) {
    this.words = words
    this.rows = Math.ceil(places / 32)
    this.bits = new Int32Array(this.rows << 8)
  }

  /** Puts a word that is not there at a place, or takes the one that is there away. */
  flip(place: number, word: number, change: 1 | -1): void {
    const parts = this.words.partsOf(word)
    const [row, bit] = [place >> 5, 1 << (place & 31)]
    for (let k = 0; k < parts.length; k++) {
      const part = parts[k] as number
      if (part >= this.counts.length) this.widen(part)
      this.counts[part] = (this.counts[part] as number) + change
      const at = part * this.rows + row
      this.bits[at] = (this.bits[at] as number) ^ bit
    }
  }

  /** How many words hold a part. */
  of(part: number): number {
    return part < this.counts.length ? (this.counts[part] as number) : 0
  }

  /** Does the word at a place hold a part? All hold the empty one. */
  has(part: number, place: number): boolean {
    if (part === EMPTY) return true
    return (
      part < this.counts.length && (((this.bits[part * this.rows + (place >> 5)] as number) >> (place & 31)) & 1) === 1
    )
  }

  /** The places of the words that hold one part or the other, in order. */
  places(part: number, other = part): number[] {
    const found: number[] = []
    for (let row = 0; row < this.rows; row++) {
      let rest = this.row(part, row) | this.row(other, row)
      for (; rest !== 0; rest &= rest - 1) found.push(32 * row + 31 - Math.clz32(rest & -rest))
    }
    return found
  }

  private row(part: number, row: number): number {
    return part < this.counts.length ? (this.bits[part * this.rows + row] as number) : 0
  }

  private widen(part: number): void {
    const [counts, bits] = [new Int32Array(2 * part), new Int32Array(2 * part * this.rows)]
    counts.set(this.counts)
    bits.set(this.bits)
    this.counts = counts
    this.bits = bits
  }
}
