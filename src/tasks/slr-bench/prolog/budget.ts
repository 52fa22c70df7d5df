import { Fault } from './fault.ts'
import type { Term } from './terms.ts'

/** Deepest nesting of terms that are walked, and of proofs inside proofs. */
export const DEEPEST_TERM = 1000
export const DEEPEST_PROOF = 64

/** Steps left to one question: a goal called, or a place of a term unified, copied or compared, is one. */
export class Budget {
  #left: number
  constructor(steps: number) {
    this.#left = steps
  }
  get left(): number {
    return Math.max(0, this.#left)
  }
  /** @throws Fault (resource) */
  spend(steps = 1): void {
    this.#left -= steps
    if (this.#left < 0) throw new Fault('resource', 'more steps than a question may take')
  }
  /** The term behind bound variables; each on the way is a step. @throws Fault (resource) */
  deref(term: Term): Term {
    let at = term
    while (at.kind === 'variable' && at.bound !== null) {
      this.spend()
      at = at.bound
    }
    return at
  }
  /** @throws Fault (resource) */
  enter(depth: number, deepest: number): void {
    if (depth > deepest) throw new Fault('resource', `nested deeper than ${deepest}`)
  }
}
