import { type Small, SmallArray } from './small.ts'

/** The ends that the first symbols of a right-hand side can reach in a span, in the order in which they were found, each with the best way there. */
export class Reached {
  count = 0
  private readonly ends: Int32Array
  private readonly scores: SmallArray
  /** Where the last of the symbols begins, on the best way. */
  private readonly begins: Int32Array
  private readonly round: Int32Array
  private rounds = 0

  constructor(side: number) {
    this.ends = new Int32Array(side)
    this.scores = new SmallArray(side)
    this.begins = new Int32Array(side)
    this.round = new Int32Array(side)
  }

  clear(): void {
    this.count = 0
    this.rounds++
  }

  has(end: number): boolean {
    return this.round[end] === this.rounds
  }

  end(nth: number): number {
    return this.ends[nth] as number
  }

  begin(end: number): number {
    return this.begins[end] as number
  }

  score(end: number, into: Small): Small {
    return this.scores.get(end, into)
  }

  /** A way to an end; of equal ones the first stays. */
  offer(end: number, begin: number, score: Small): void {
    if (!this.has(end)) {
      this.round[end] = this.rounds
      this.ends[this.count++] = end
    } else if (!this.scores.isLess(end, score)) return
    this.scores.set(end, score)
    this.begins[end] = begin
  }
}
