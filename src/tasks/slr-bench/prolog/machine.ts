import { evaluate } from './arithmetic.ts'
import { Bindings } from './bindings.ts'
import { builtins, type Run } from './builtins.ts'
import { collectors } from './collect.ts'
import { Budget, Fault, MAX_PROOF_DEPTH } from './limits.ts'
import { readProgram } from './read.ts'
import { byIndicator, type Clause, compound, indicator, integer, type Program, type Term } from './terms.ts'

/** Goals still to be proved, the nearest first. `cut`: how many choices a cut in this goal leaves. */
interface Frame {
  readonly goal: Term
  readonly next: Frame | null
  readonly cut: number
}

/** What can be tried where everything since has failed. */
type Choice =
  | { readonly kind: 'frame'; readonly mark: number; readonly frame: Frame | null }
  | {
      readonly kind: 'clauses'
      readonly mark: number
      readonly frame: Frame
      readonly clauses: readonly Clause[]
      readonly from: number
    }
  | { readonly kind: 'count'; readonly mark: number; readonly frame: Frame; readonly from: number; readonly to: number }

type Verdict = (
  | { readonly kind: 'proved' }
  | { readonly kind: 'refuted' }
  | { readonly kind: 'fault'; readonly fault: Fault }
) & {
  /** Steps that were not needed. */
  readonly left: number
}

/** Cuts back to a number of choice points; no program can write the name. */
const CUT_NAME = '\u0000cut'
const CUT_BACK = `${CUT_NAME}/1`

/** Is there a proof of the goal within a number of steps? Deterministic on all machines. */
export function prove(program: Program, goal: Term, steps: number): Verdict {
  const budget = new Budget(steps)
  try {
    const proved = new Machine(program, budget).once(goal, 0)
    return { kind: proved ? 'proved' : 'refuted', left: budget.left }
  } catch (fault) {
    if (fault instanceof Fault) return { kind: 'fault', fault, left: budget.left }
    throw fault
  }
}

export class Machine implements Run {
  readonly bindings: Bindings
  readonly budget: Budget
  readonly #program: Program
  constructor(program: Program, budget: Budget) {
    this.#program = program
    this.budget = budget
    this.bindings = new Bindings(budget)
  }

  /** Does the goal hold? What its first proof binds stays bound. */
  once(goal: Term, depth: number): boolean {
    let found = false
    this.each(goal, depth, () => {
      found = true
      return false
    })
    return found
  }

  /** Calls `visit` at every proof of the goal, until it returns false. */
  each(goal: Term, depth: number, visit: () => boolean): void {
    this.budget.enter(depth, MAX_PROOF_DEPTH)
    const choices: Choice[] = []
    let frame: Frame | null = { goal, next: null, cut: 0 }
    for (;;) {
      if (frame === null && !visit()) return
      let next: Frame | null | undefined = frame === null ? undefined : this.#step(frame, choices, depth)
      while (next === undefined) {
        const choice = choices.pop()
        if (choice === undefined) return
        this.bindings.undo(choice.mark)
        next = this.#retry(choice, choices)
      }
      frame = next
    }
  }

  /** The goals after this one is taken; undefined: it fails. */
  #step(frame: Frame, choices: Choice[], depth: number): Frame | null | undefined {
    this.budget.spend()
    const { next, cut } = frame
    const goal = this.budget.deref(frame.goal)
    const key = indicator(goal)
    if (key === null) throw new Fault('type', 'a goal is a variable or a number')
    const args = goal.kind === 'compound' ? goal.args : []
    const [first, second] = args
    const { mark } = this.bindings
    switch (key) {
      case 'true/0':
        return next
      case 'fail/0':
      case 'false/0':
        return undefined
      case '!/0':
        choices.length = Math.min(choices.length, cut)
        return next
      case ',/2':
        return { goal: first as Term, cut, next: { goal: second as Term, cut, next } }
      case CUT_BACK:
        choices.length = Math.min(choices.length, (first as { readonly value: number }).value)
        return next
      case ';/2': {
        choices.push({ kind: 'frame', mark, frame: { goal: second as Term, cut, next } })
        const left = this.budget.deref(first as Term)
        return left.kind === 'compound' && left.name === '->' && left.args.length === 2
          ? this.#then(left.args, choices.length - 1, choices.length, cut, next)
          : { goal: left, cut, next }
      }
      case '->/2':
        return this.#then(args, choices.length, choices.length, cut, next)
      case '\\+/1':
      case 'not/1': {
        const holds = this.once(first as Term, depth + 1)
        this.bindings.undo(mark)
        return holds ? undefined : next
      }
      case 'between/3': {
        const [from, to] = [evaluate(first as Term, this.budget), evaluate(second as Term, this.budget)]
        return this.#count({ kind: 'count', mark, frame, from: from.value, to: to.value }, choices)
      }
    }
    if (goal.kind === 'compound' && goal.name === 'call')
      return { goal: applied(this.budget, first as Term, args.slice(1)), cut: choices.length, next }
    const own = this.#program.get(key)
    const collect = own === undefined ? collectors.get(key) : undefined
    if (collect !== undefined) {
      // One list for each way of binding what the goal leaves free.
      const results = collect(this, args, depth + 1)
      for (const result of results.slice(1).reverse())
        choices.push({ kind: 'frame', mark, frame: { goal: result, cut, next } })
      return results[0] === undefined ? undefined : { goal: results[0], cut, next }
    }
    const builtin = own === undefined ? builtins.get(key) : undefined
    if (builtin !== undefined) return builtin(this, args) ? next : undefined
    const clauses = own ?? library.get(key)
    if (clauses === undefined) throw new Fault('unknown', `undefined predicate ${key}`)
    return this.#clauses({ kind: 'clauses', mark, frame, clauses, from: 0 }, choices)
  }

  /** If-then: cuts back to `back` once the condition holds; a cut inside the condition stays inside. */
  #then(args: readonly Term[], back: number, inside: number, cut: number, next: Frame | null): Frame {
    const [condition, action] = args as readonly [Term, Term]
    const after: Frame = { goal: compound(CUT_NAME, integer(back)), cut, next: { goal: action, cut, next } }
    return { goal: condition, cut: inside, next: after }
  }

  #retry(choice: Choice, choices: Choice[]): Frame | null | undefined {
    if (choice.kind === 'frame') return choice.frame
    return choice.kind === 'count' ? this.#count(choice, choices) : this.#clauses(choice, choices)
  }

  #count(choice: Choice & { readonly kind: 'count' }, choices: Choice[]): Frame | null | undefined {
    this.budget.spend()
    const { frame, from, to } = choice
    const goal = this.budget.deref(frame.goal)
    const third = this.budget.deref((goal as { readonly args: readonly Term[] }).args[2] as Term)
    if (third.kind !== 'variable')
      return third.kind === 'number' && third.value >= from && third.value <= to ? frame.next : undefined
    if (from > to) return undefined
    if (from < to) choices.push({ ...choice, from: from + 1 })
    this.bindings.unify(third, integer(from))
    return frame.next
  }

  #clauses(choice: Choice & { readonly kind: 'clauses' }, choices: Choice[]): Frame | null | undefined {
    const { frame, clauses, mark } = choice
    const goal = this.budget.deref(frame.goal)
    const cut = choices.length
    let at = this.#fitting(goal, clauses, choice.from)
    while (at < clauses.length) {
      const { head, body } = this.bindings.renamed(clauses[at] as Clause)
      const after = this.#fitting(goal, clauses, at + 1)
      if (this.bindings.unify(head, goal)) {
        if (after < clauses.length) choices.push({ ...choice, from: after })
        return body.kind === 'atom' && body.name === 'true' ? frame.next : { goal: body, cut, next: frame.next }
      }
      this.bindings.undo(mark)
      at = after
    }
    return undefined
  }

  /** The next clause from here on whose first argument can be that of the goal. */
  #fitting(goal: Term, clauses: readonly Clause[], from: number): number {
    const first = goal.kind === 'compound' ? this.budget.deref(goal.args[0] as Term) : undefined
    let at = from
    while (at < clauses.length) {
      const { head } = clauses[at] as Clause
      const other = head.kind === 'compound' ? head.args[0] : undefined
      if (first === undefined || other === undefined || mayFit(first, other)) return at
      this.budget.spend()
      at++
    }
    return at
  }
}

const mayFit = (a: Term, b: Term): boolean =>
  a.kind === 'variable' ||
  b.kind === 'variable' ||
  (a.kind === b.kind && (a.kind === 'number' || a.name === (b as { readonly name: string }).name))

/** A goal with more arguments at its end, for `call/N`. @throws Fault (type) */
function applied(budget: Budget, goal: Term, more: readonly Term[]): Term {
  budget.spend(more.length)
  const at = budget.deref(goal)
  if (more.length === 0) return at
  if (at.kind !== 'atom' && at.kind !== 'compound') throw new Fault('type', 'call/N takes a predicate')
  return compound(at.name, ...(at.kind === 'compound' ? at.args : []), ...more)
}

/** Predicates on lists that programs take for granted. */
const SOURCE = `
member(X, [X|_]).
member(X, [_|L]) :- member(X, L).
memberchk(X, L) :- once(member(X, L)).
append([], L, L).
append([X|A], B, [X|C]) :- append(A, B, C).
select(X, [X|L], L).
select(X, [Y|L], [Y|R]) :- select(X, L, R).
subtract([], _, []).
subtract([X|A], B, R) :- memberchk(X, B), !, subtract(A, B, R).
subtract([X|A], B, [X|R]) :- subtract(A, B, R).
intersection([], _, []).
intersection([X|A], B, R) :- ( memberchk(X, B) -> R = [X|S] ; R = S ), intersection(A, B, S).
subset([], _).
subset([X|A], B) :- memberchk(X, B), subset(A, B).
reverse(L, R) :- '$reverse'(L, [], R).
'$reverse'([], R, R).
'$reverse'([X|L], A, R) :- '$reverse'(L, [X|A], R).
last([X], X) :- !.
last([_|L], X) :- last(L, X).
nth0(N, L, X) :- '$nth'(L, 0, N, X).
nth1(N, L, X) :- '$nth'(L, 1, N, X).
'$nth'([X|_], N, N, X).
'$nth'([_|L], M, N, X) :- ( integer(N) -> M < N ; true ), K is M + 1, '$nth'(L, K, N, X).
sum_list(L, S) :- '$sum'(L, 0, S).
sumlist(L, S) :- '$sum'(L, 0, S).
'$sum'([], S, S).
'$sum'([X|L], A, S) :- B is A + X, '$sum'(L, B, S).
max_list([X|L], M) :- '$max'(L, X, M).
'$max'([], M, M).
'$max'([X|L], A, M) :- B is max(A, X), '$max'(L, B, M).
min_list([X|L], M) :- '$min'(L, X, M).
'$min'([], M, M).
'$min'([X|L], A, M) :- B is min(A, X), '$min'(L, B, M).
maplist(_, []).
maplist(G, [X|L]) :- call(G, X), maplist(G, L).
maplist(_, [], []).
maplist(G, [X|L], [Y|M]) :- call(G, X, Y), maplist(G, L, M).
include(_, [], []).
include(G, [X|L], R) :- ( call(G, X) -> R = [X|S] ; R = S ), include(G, L, S).
exclude(_, [], []).
exclude(G, [X|L], R) :- ( call(G, X) -> R = S ; R = [X|S] ), exclude(G, L, S).
once(G) :- call(G), !.
ignore(G) :- ( call(G) -> true ; true ).
forall(C, A) :- \\+ ( call(C), \\+ call(A) ).
`

const library = byIndicator(readProgram(SOURCE))
