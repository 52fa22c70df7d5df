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
