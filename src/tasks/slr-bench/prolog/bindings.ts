import { type Budget, Fault, MAX_TERM_DEPTH } from './limits.ts'
import { type Clause, EMPTY, LIST, type Term, type Variable, variable } from './terms.ts'

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
  /** Unifies two terms; bindings remain if it fails. Cyclic terms run out of steps. */
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
  /** The clause with variables. */
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
    this.#budget.enter(depth, MAX_TERM_DEPTH)
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

function sameConstant(left: Term, right: Term): boolean {
  if (left.kind === 'atom') return right.kind === 'atom' && left.name === right.name
  return left.kind === 'number' && right.kind === 'number' && left.value === right.value && left.float === right.float
}

const RANK = { variable: 0, number: 1, atom: 2, compound: 3 } as const

/** The standard order of terms: variables, numbers, names, compounds by arity, name, arguments. */
export function compareTerms(a: Term, b: Term, budget: Budget, depth = 0): number {
  budget.spend()
  budget.enter(depth, MAX_TERM_DEPTH)
  const [left, right] = [budget.deref(a), budget.deref(b)]
  if (left === right) return 0
  if (left.kind !== right.kind) return RANK[left.kind] - RANK[right.kind]
  if (left.kind === 'number' && right.kind === 'number')
    return left.value - right.value || Number(right.float) - Number(left.float)
  if (left.kind === 'atom' && right.kind === 'atom') return byText(left.name, right.name)
  if (left.kind === 'variable' && right.kind === 'variable') return left.age - right.age
  if (left.kind !== 'compound' || right.kind !== 'compound') return 0
  const shape = left.args.length - right.args.length || byText(left.name, right.name)
  if (shape !== 0) return shape
  for (const [i, arg] of left.args.entries()) {
    const found = compareTerms(arg, right.args[i] as Term, budget, depth + 1)
    if (found !== 0) return found
  }
  return 0
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The terms in order, each once. */
export function distinctTerms(terms: readonly Term[], budget: Budget): readonly Term[] {
  const sorted = [...terms].sort((a, b) => compareTerms(a, b, budget))
  return sorted.filter((term, i) => i === 0 || compareTerms(sorted[i - 1] as Term, term, budget) !== 0)
}

/** The items of a list, and its tail where that is open. @throws Fault (type) where it is none */
export function itemsOf(list: Term, budget: Budget): { readonly items: readonly Term[]; readonly tail: Term } {
  const items: Term[] = []
  let at = budget.deref(list)
  while (at.kind === 'compound' && at.name === LIST && at.args.length === 2) {
    budget.spend()
    items.push(at.args[0] as Term)
    at = budget.deref(at.args[1] as Term)
  }
  return { items, tail: at }
}

/** The items of a list that ends. @throws Fault (type) */
export function properItems(list: Term, budget: Budget): readonly Term[] {
  const { items, tail } = itemsOf(list, budget)
  if (tail.kind !== 'atom' || tail.name !== EMPTY.name) throw new Fault('type', 'expected a list')
  return items
}
