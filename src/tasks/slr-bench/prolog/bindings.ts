import { type Budget, DEEPEST_TERM } from './budget.ts'
import { type Clause, type Term, type Variable, variable } from './terms.ts'

/** What is bound, in order, so that it can be undone. */
export class Bindings {
  readonly #trail: Variable[] = []
  readonly #budget: Budget
  #age = 0
  constructor(budget: Budget) {
    this.#budget = budget
  }
  get mark(): number {
    return this.#trail.length
  }
  fresh(name?: string): Variable {
    return variable(name, ++this.#age)
  }
  undo(mark: number): void {
    while (this.#trail.length > mark) (this.#trail.pop() as Variable).bound = null
  }
  /** Makes two terms one; what was bound on the way stays bound where it fails. Cyclic terms run out of steps. */
  unify(a: Term, b: Term): boolean {
    const open: [Term, Term][] = [[a, b]]
    for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
      this.#budget.spend()
      const [left, right] = [this.#budget.deref(pair[0]), this.#budget.deref(pair[1])]
      if (left === right) continue
      if (left.kind === 'variable' && !(right.kind === 'variable' && right.age > left.age)) this.#bind(left, right)
      else if (right.kind === 'variable') this.#bind(right, left)
      else if (left.kind === 'compound') {
        if (right.kind !== 'compound' || right.name !== left.name || right.args.length !== left.args.length)
          return false
        for (let i = left.args.length - 1; i >= 0; i--) open.push([left.args[i] as Term, right.args[i] as Term])
      } else if (!sameConstant(left, right)) return false
    }
    return true
  }
  #bind(to: Variable, term: Term): void {
    to.bound = term
    this.#trail.push(to)
  }
  /** The clause with variables of its own. */
  renamed({ head, body, variables }: Clause): { readonly head: Term; readonly body: Term } {
    if (variables.length === 0) return { head, body }
    const fresh = new Map(variables.map((old) => [old, this.fresh(old.name)]))
    return { head: this.#copied(head, fresh, 0), body: this.#copied(body, fresh, 0) }
  }
  /** The term as it is now bound, with new variables for those that are free. */
  copy(term: Term): Term {
    return this.#copied(term, new Map(), 0)
  }
  #copied(term: Term, fresh: Map<Variable, Variable>, depth: number): Term {
    this.#budget.spend()
    this.#budget.enter(depth, DEEPEST_TERM)
    const at = this.#budget.deref(term)
    if (at.kind === 'variable') {
      const made = fresh.get(at) ?? this.fresh(at.name)
      fresh.set(at, made)
      return made
    }
    if (at.kind !== 'compound') return at
    return { kind: 'compound', name: at.name, args: at.args.map((arg) => this.#copied(arg, fresh, depth + 1)) }
  }
}

export function sameConstant(left: Term, right: Term): boolean {
  if (left.kind === 'atom') return right.kind === 'atom' && left.name === right.name
  return left.kind === 'number' && right.kind === 'number' && left.value === right.value && left.float === right.float
}
