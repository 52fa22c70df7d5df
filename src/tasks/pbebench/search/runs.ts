import type { Rule } from '../../../libraries/rewriting/index.ts'
import { CORPUS_LIMIT, type SearchProblem } from './problem.ts'
import type { SearchTables } from './search-tables.ts'

/** A cascade in numbers and what it does to the inputs. */
export interface Run {
  readonly pieces: readonly number[]
  /** For each word, what it is before each of the rules and after the last. */
  readonly paths: readonly Path[]
  /** Which words are wrong in the end. */
  readonly wrong: readonly number[]
}

type Path = readonly number[]

/**
 * Runs of similar cascades: only the words that a difference touches are run again. As in {@link apply}, a run ends
 * where all words together exceed {@link CORPUS_LIMIT}.
 */
export class Runs {
  private readonly tables: SearchTables
  private readonly inputs: readonly number[]
  private readonly outputs: readonly number[]
  /** Has a word outgrown its share of the limit? Until then all together cannot. */
  private grown: boolean
  private readonly share: number

  constructor(tables: SearchTables, { inputs, outputs }: SearchProblem) {
    this.tables = tables
    this.inputs = inputs.map((word) => tables.words.id(word))
    this.outputs = outputs.map((word) => tables.words.id(word))
    this.share = Math.floor(CORPUS_LIMIT / inputs.length) - 1
    this.grown = inputs.some((word) => word.length > this.share)
  }

  /** Of a whole cascade; null, here and below, where words outgrow the limit. */
  of(rules: readonly Rule[]): Run | null {
    const pieces = rules.map(([left, right]) => this.tables.pieces.id(left, right))
    const paths = this.inputs.map((word) => this.extended([word], pieces))
    return this.runOf(pieces, paths)
  }

  /** With one rule more. */
  inserted({ pieces, paths }: Run, at: number, piece: number): Run | null {
    const more = pieces.toSpliced(at, 0, piece)
    const onMore = (path: Path): Path => {
      const word = path[at] as number
      const next = this.after(piece, word)
      return next === word ? path.toSpliced(at, 0, word) : this.extended([...path.slice(0, at + 1), next], more)
    }
    return this.runOf(more, paths.map(onMore))
  }

  /** With one rule less. */
  without({ pieces, paths }: Run, k: number): Run | null {
    const rest = pieces.toSpliced(k, 1)
    const onRest = (path: Path): Path =>
      path[k] === path[k + 1] ? path.toSpliced(k, 1) : this.extended(path.slice(0, k + 1), rest)
    return this.runOf(rest, paths.map(onRest))
  }

  /** With a rule after the next one, unless a word is wrong then. */
  swapped({ pieces, paths }: Run, k: number): Run | null {
    const [one, other] = [pieces[k] as number, pieces[k + 1] as number]
    const order = pieces.with(k, other).with(k + 1, one)
    const changed: Path[] = []
    for (const [i, path] of paths.entries()) {
      const between = this.after(other, path[k] as number)
      const next = this.after(one, between)
      if (next === path[k + 2]) {
        changed.push(between === path[k + 1] ? path : path.with(k + 1, between))
        continue
      }
      const rerun = this.extended([...path.slice(0, k + 1), between, next], order)
      if (rerun.at(-1) !== this.outputs[i]) return null
      changed.push(rerun)
    }
    return this.runOf(order, changed)
  }

  /** How many words are wrong without a rule; above `most`, any number above it. */
  wrongWithout({ pieces, paths, wrong }: Run, k: number, most: number): number {
    const same = (path: Path): boolean => path[k] === path[k + 1]
    let count = 0
    for (const i of wrong) if (same(paths[i] as Path)) count++
    for (let i = 0; i < paths.length && count <= most; i++) {
      const path = paths[i] as Path
      if (!same(path) && this.end(pieces, k + 1, path[k] as number) !== this.outputs[i]) count++
    }
    if (!this.grown || count > most) return count
    const rest = pieces.slice(k + 1)
    const tails = paths.filter((path) => !same(path)).map((path) => this.extended([path[k] as number], rest))
    return this.outgrown(tails, rest.length) ? Number.POSITIVE_INFINITY : count
  }

  private runOf(pieces: readonly number[], paths: readonly Path[]): Run | null {
    if (this.grown && this.outgrown(paths, pieces.length)) return null
    const wrong: number[] = []
    for (const [i, path] of paths.entries()) if (path.at(-1) !== this.outputs[i]) wrong.push(i)
    return { pieces, paths, wrong }
  }

  /** A path to the end of the cascade, from its beginning; it breaks off where the word alone outgrows the limit. */
  private extended(path: number[], pieces: readonly number[]): Path {
    for (let k = path.length - 1; k < pieces.length && !this.tooLong(path[k] as number); k++)
      path.push(this.after(pieces[k] as number, path[k] as number))
    return path
  }

  /** What the pieces from one on make of a word. */
  private end(pieces: readonly number[], from: number, word: number): number {
    let now = word
    for (let k = from; k < pieces.length && !this.tooLong(now); k++) now = this.after(pieces[k] as number, now)
    return now
  }

  private after(piece: number, word: number): number {
    const next = this.tables.rewrites.after(piece, word)
    if (next !== word && this.lengthOf(next) > this.share) this.grown = true
    return next
  }

  private tooLong(word: number): boolean {
    return this.grown && this.lengthOf(word) > CORPUS_LIMIT
  }

  private lengthOf(word: number): number {
    return (this.tables.words.texts[word] as string).length
  }

  private outgrown(paths: readonly Path[], steps: number): boolean {
    const together = (k: number): number => paths.reduce((sum, path) => sum + 1 + this.lengthOf(path[k] as number), -1)
    if (paths.some((path) => path.length <= steps)) return true
    for (let k = 1; k <= steps; k++) if (together(k) > CORPUS_LIMIT) return true
    return false
  }
}
