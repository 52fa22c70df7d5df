import { float, type Stream } from '../../../core/index.ts'
import type { SearchTables } from './search-tables.ts'
import type { SubstringIndex } from './substring-index.ts'

/** No lattice: a pair that is solved. */
const NONE = -1

/** Words as they are, and what they must still become. */
export interface Gap {
  readonly words: readonly string[]
  readonly outputs: readonly string[]
}

/** A gap by numbers of words. */
export interface State {
  readonly words: readonly number[]
  readonly outputs: readonly number[]
}

/** What a word costs a piece that could not be used in it though its left side stands there. */
const CARE = 0.5

/**
 * A cheap joint explanation of all unsolved pairs, kept up to date as pairs change. Soft set cover: a piece that could
 * help many pairs is cheap in each of them, one whose left side occurs where it may not be rewritten is expensive, and
 * the summed weight of best paths estimates the number of rules still needed. Only one explanation per set of tables is
 * open at a time.
 */
export class Explanation {
  /** By number. */
  readonly words: number[]
  readonly outputs: number[]
  /** Weight of the best path of each pair; 0 where it is solved. */
  readonly costs: Float64Array
  unsolved = 0
  /** Pieces on best paths, with the number of pairs that use them. */
  readonly used = new Map<number, number>()
  private readonly listed: number[] = []
  private readonly lattices: number[]
  readonly inWords: SubstringIndex
  readonly inOutputs: SubstringIndex
  private readonly tables: SearchTables
  private readonly noise: number
  private readonly stream: Stream

  /** `noise`: how far weights are blurred, the same way as long as this explanation lives. */
  constructor(tables: SearchTables, { words, outputs }: Gap, noise: number, stream: Stream) {
    this.tables = tables
    this.noise = noise
    this.stream = stream
    this.words = words.map((word) => tables.words.id(word))
    this.outputs = outputs.map((word) => tables.words.id(word))
    this.costs = new Float64Array(words.length)
    this.lattices = words.map(() => NONE)
    this.inWords = tables.inWords
    this.inOutputs = tables.inOutputs
    for (let i = 0; i < words.length; i++) this.place(i)
    this.weigh()
  }

  /** The summed weight of all best paths: an estimate of the rules that are still needed. */
  get cost(): number {
    let sum = 0
    for (const cost of this.costs) sum += cost
    return sum
  }

  /** Pieces that some pair could use, now (see {@link countOf}) or in an earlier state. */
  get possible(): readonly number[] {
    return this.listed
  }

  /** Pairs that could use a piece. */
  countOf(id: number): number {
    return this.tables.pieces.count[id] as number
  }

  /** Words that hold the left side of a piece and could not use it, as far as it may stand in outputs. */
  against(id: number): number {
    const { pieces } = this.tables
    const held = pieces.leftPart(id)
    return Math.max(0, Math.min(this.inWords.of(held) - (pieces.count[id] as number), this.inOutputs.of(held)))
  }

  /** Goes to other words and outputs; what is the same stays. */
  become({ words, outputs }: State): void {
    for (let i = 0; i < words.length; i++) {
      if (this.words[i] === words[i] && this.outputs[i] === outputs[i]) continue
      this.lift(i)
      this.words[i] = words[i] as number
      this.outputs[i] = outputs[i] as number
      this.place(i)
    }
    this.weigh()
  }

  /** Takes all pairs away and gives all pieces their own cost back. */
  close(): void {
    for (let i = 0; i < this.words.length; i++) this.lift(i)
    const { blur } = this.tables.pieces
    for (const id of this.listed) blur[id] = 0
  }

  private lift(i: number): void {
    this.inWords.flip(i, this.words[i] as number, -1)
    this.inOutputs.flip(i, this.outputs[i] as number, -1)
    const lattice = this.lattices[i] as number
    if (lattice === NONE) return
    this.unsolved--
    const { count, weight, cost } = this.tables.pieces
    for (const id of this.tables.lattices.distinct(lattice)) {
      const left = (count[id] as number) - 1
      count[id] = left
      if (left === 0) weight[id] = cost[id] as number
    }
    this.lattices[i] = NONE
  }

  private place(i: number): void {
    const [word, output] = [this.words[i] as number, this.outputs[i] as number]
    this.inWords.flip(i, word, 1)
    this.inOutputs.flip(i, output, 1)
    if (word === output) return
    const lattice = this.tables.lattices.id(word, output, true)
    this.lattices[i] = lattice
    this.unsolved++
    const { count, blur } = this.tables.pieces
    for (const id of this.tables.lattices.distinct(lattice)) {
      count[id] = (count[id] as number) + 1
      if (blur[id] === 0) {
        blur[id] = this.noise === 0 ? 1 : 1 + this.noise * float(this.stream)
        this.listed.push(id)
      }
    }
  }

  private weigh(): void {
    const { weight, cost, blur, count } = this.tables.pieces
    for (const lattice of this.lattices) {
      if (lattice === NONE) continue
      for (const id of this.tables.lattices.distinct(lattice))
        weight[id] = (((cost[id] as number) + CARE * this.against(id)) * (blur[id] as number)) / (count[id] as number)
    }
    this.used.clear()
    for (let i = 0; i < this.lattices.length; i++) {
      const lattice = this.lattices[i] as number
      const cost = lattice === NONE ? 0 : this.tables.lattices.shortest(lattice)
      this.costs[i] = cost
      if (lattice === NONE || cost === Number.POSITIVE_INFINITY) continue
      for (const id of this.tables.lattices.lastPath()) this.used.set(id, (this.used.get(id) ?? 0) + 1)
    }
  }
}
