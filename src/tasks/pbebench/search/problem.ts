import type { Rule } from '../../../libraries/rewriting/index.ts'
import type { Pairs } from '../types.ts'

/** What a search must find: at most `rules` rules with sides up to `side`; letters of no word are taken from `letters`. */
export interface SearchProblem extends Pairs {
  readonly rules: number
  readonly side: number
  readonly letters: string
}

/** Work is counted in evaluations of one rule in one state, so a search is the same on every machine. */
export interface Budget {
  /** Evaluations allowed. */
  readonly steps: number
  /** Polled; true ends the search (for a clock of the caller). */
  readonly stop?: () => boolean
}

/** Steps between two questions whether to stop: a clock costs as much as several steps. */
const STRIDE = 64

/** Counts steps down. */
export class Meter {
  used = 0
  private readonly budget: Budget
  private stopped = false

  constructor(budget: Budget) {
    this.budget = budget
  }

  step(): void {
    this.used++
    if (this.used % STRIDE === 0 && this.budget.stop?.() === true) this.stopped = true
  }

  get spent(): boolean {
    return this.stopped || this.used >= this.budget.steps
  }
}

/** Does the cascade turn every input into its output? */
export function solves({ inputs, outputs }: Pairs, rules: readonly Rule[]): boolean {
  return apply(inputs.join('\n'), rules) === outputs.join('\n')
}

/** A cascade on joined words; null: they grew beyond {@link CORPUS_LIMIT}. */
export function apply(corpus: string, rules: readonly Rule[]): string | null {
  let now = corpus
  for (const [left, right] of rules) {
    if (now.includes(left)) now = now.split(left).join(right)
    if (now.length > CORPUS_LIMIT) return null
  }
  return now
}

/** Dropping a rule can let others pump the words up without end. */
export const CORPUS_LIMIT = 1 << 16

/**
 * A problem with letters of one code unit each, so that no rule splits a letter, and the translations to and from it.
 */
interface LetterCoding {
  readonly problem: SearchProblem
  readonly to: (rules: readonly Rule[]) => readonly Rule[]
  readonly back: (rules: readonly Rule[]) => readonly Rule[]
}

/** The units that may stand for letters above U+FFFF: private use and what follows. */
const FIRST = 0xe000
const LAST = 0xfffd

/** Gothic, cuneiform and other letters above U+FFFF get stand-ins that the problem does not use; others stay. */
export function letterCoding(problem: SearchProblem): LetterCoding {
  const { inputs, outputs, letters } = problem
  const used = new Set([...inputs, ...outputs, letters].flatMap((text) => [...text]))
  const high = [...used].filter((letter) => letter.length > 1)
  const same = (rules: readonly Rule[]): readonly Rule[] => rules
  if (high.length === 0) return { problem, to: same, back: same }
  const there = new Map<string, string>()
  const home = new Map<string, string>()
  let unit = FIRST
  for (const letter of high) {
    while (used.has(String.fromCharCode(unit))) unit++
    if (unit > LAST) throw new RangeError(`words of ${high.length} different letters above U+FFFF are not searched`)
    there.set(letter, String.fromCharCode(unit))
    home.set(String.fromCharCode(unit), letter)
    unit++
  }
  const translated = (text: string, by: ReadonlyMap<string, string>): string =>
    Array.from(text, (letter) => by.get(letter) ?? letter).join('')
  const all = (rules: readonly Rule[], by: ReadonlyMap<string, string>): readonly Rule[] =>
    rules.map(([left, right]): Rule => [translated(left, by), translated(right, by)])
  return {
    problem: {
      ...problem,
      inputs: inputs.map((word) => translated(word, there)),
      outputs: outputs.map((word) => translated(word, there)),
      letters: translated(letters, there),
    },
    to: (rules) => all(rules, there),
    back: (rules) => all(rules, home),
  }
}
