import type { Term } from './terms.ts'

/** Why an answer's program could not be parsed or run. */
export type FaultKind =
  /** It is no Prolog. */
  | 'syntax'
  /** It calls an undefined predicate. */
  | 'unknown'
  /** A goal has arguments that it cannot take. */
  | 'type'
  /** It took more steps or depth than it may. */
  | 'resource'

export class Fault extends Error {
  readonly fault: FaultKind
  constructor(fault: FaultKind, message: string) {
    super(message)
    this.name = 'Fault'
    this.fault = fault
  }
}

/** Deepest nesting of terms that are walked, and of proofs inside proofs. */
export const MAX_TERM_DEPTH = 1000
export const MAX_PROOF_DEPTH = 64

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
  /** The term behind bound variables; each one is a step. @throws Fault (resource) */
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
