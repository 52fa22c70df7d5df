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

/** Runs of similar cascades: only the words that a difference touches are run again. A run ends where a word outgrows its share of {@link CORPUS_LIMIT}. */
export class Runs {
  private readonly tables: SearchTables
  private readonly inputs: readonly number[]
  private readonly outputs: readonly number[]
  private readonly longest: number

  constructor(tables: SearchTables, { inputs, outputs }: SearchProblem) {
    this.tables = tables
    this.inputs = inputs.map((word) => tables.words.id(word))
    this.outputs = outputs.map((word) => tables.words.id(word))
    this.longest = CORPUS_LIMIT / inputs.length - 1
  }

  /** Of a whole cascade; null, here and below, where a word outgrows the limit. */
  of(rules: readonly Rule[]): Run | null {
    const pieces = rules.map(([left, right]) => this.tables.pieces.id(left, right))
    return this.runOf(
      pieces,
      this.inputs.map((word) => this.extended([word], pieces)),
    )
  }

  /** With one rule more. */
  inserted({ pieces, paths }: Run, at: number, piece: number): Run | null {
    const more = pieces.toSpliced(at, 0, piece)
    const onMore = (path: Path): Path | null => {
      const word = path[at] as number
      const next = this.tables.rewrites.after(piece, word)
      return next === word ? path.toSpliced(at, 0, word) : this.extended([...path.slice(0, at + 1), next], more)
    }
    return this.runOf(more, paths.map(onMore))
  }

  /** With one rule less. */
  without({ pieces, paths }: Run, k: number): Run | null {
    const rest = pieces.toSpliced(k, 1)
    const onRest = (path: Path): Path | null =>
      path[k] === path[k + 1] ? path.toSpliced(k, 1) : this.extended(path.slice(0, k + 1), rest)
    return this.runOf(rest, paths.map(onRest))
  }

  /** How many words are wrong without a rule; above `most`, any number above it. */
  wrongWithout({ pieces, paths, wrong }: Run, k: number, most: number): number {
    const same = (path: Path): boolean => path[k] === path[k + 1]
    let count = 0
    for (const i of wrong) if (same(paths[i] as Path)) count++
    for (let i = 0; i < paths.length && count <= most; i++) {
      const path = paths[i] as Path
      if (same(path)) continue
      const end = this.end(pieces, k + 1, path[k] as number)
      if (end === null) return Number.POSITIVE_INFINITY
      if (end !== this.outputs[i]) count++
    }
    return count
  }

  private runOf(pieces: readonly number[], paths: readonly (Path | null)[]): Run | null {
    if (!paths.every((path) => path !== null)) return null
    const wrong: number[] = []
    for (let i = 0; i < paths.length; i++) if (paths[i]?.at(-1) !== this.outputs[i]) wrong.push(i)
    return { pieces, paths, wrong }
  }

  /** A path to the end of the cascade, from its beginning. */
  private extended(path: number[], pieces: readonly number[]): Path | null {
    for (let k = path.length - 1; k < pieces.length; k++) {
      const word = path[k] as number
      if (this.outgrown(word)) return null
      path.push(this.tables.rewrites.after(pieces[k] as number, word))
    }
    return path
  }

  /** What the pieces from one on make of a word. */
  private end(pieces: readonly number[], from: number, word: number): number | null {
    let now = word
    for (let k = from; k < pieces.length; k++) {
      if (this.outgrown(now)) return null
      now = this.tables.rewrites.after(pieces[k] as number, now)
    }
    return now
  }

  private outgrown(word: number): boolean {
    return (this.tables.words.texts[word] as string).length > this.longest
  }
}
