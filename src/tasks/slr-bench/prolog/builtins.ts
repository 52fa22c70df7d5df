import { evaluate } from './arithmetic.ts'
import { type Bindings, compareTerms, distinctTerms, itemsOf, properItems } from './bindings.ts'
import { type Budget, Fault } from './limits.ts'
import { atom, compound, integer, listOf, type Term } from './terms.ts'

export interface Run {
  readonly bindings: Bindings
  readonly budget: Budget
}
/** A goal that holds at most once. */
type Builtin = (run: Run, args: readonly Term[]) => boolean

const at = (args: readonly Term[], i: number): Term => args[i] as Term
const kinds =
  (...wanted: readonly Term['kind'][]): Builtin =>
  ({ budget }, args) =>
    wanted.includes(budget.deref(at(args, 0)).kind)
const ordered =
  (holds: (order: number) => boolean): Builtin =>
  ({ budget }, args) =>
    holds(compareTerms(at(args, 0), at(args, 1), budget))
const calculated =
  (holds: (a: number, b: number) => boolean): Builtin =>
  ({ budget }, args) =>
    holds(evaluate(at(args, 0), budget).value, evaluate(at(args, 1), budget).value)

const different: Builtin = ({ bindings }, args) => {
  const mark = bindings.mark
  const same = bindings.unify(at(args, 0), at(args, 1))
  bindings.undo(mark)
  return !same
}

/** `dif/2` of terms that may still become one would have to wait, which nothing here does: a fault, not a guess. */
const distinct: Builtin = (run, args) => {
  if (different(run, args)) return true
  if (compareTerms(at(args, 0), at(args, 1), run.budget) === 0) return false
  throw new Fault('type', 'dif/2 would have to wait for what is not bound yet')
}

const sort: Builtin = ({ bindings, budget }, args) =>
  bindings.unify(at(args, 1), listOf(distinctTerms(properItems(at(args, 0), budget), budget)))

const msort: Builtin = ({ bindings, budget }, args) => {
  const items = [...properItems(at(args, 0), budget)].sort((a, b) => compareTerms(a, b, budget))
  return bindings.unify(at(args, 1), listOf(items))
}

const MAX_LIST = 10_000
/** What making one item of a list costs beside a goal. */
const STEPS_AN_ITEM = 8

const length: Builtin = ({ bindings, budget }, args) => {
  const { items, tail } = itemsOf(at(args, 0), budget)
  if (tail.kind === 'atom') return tail.name === '[]' && bindings.unify(at(args, 1), integer(items.length))
  const wanted = budget.deref(at(args, 1))
  if (tail.kind !== 'variable' || wanted.kind !== 'number' || wanted.value > MAX_LIST)
    throw new Fault('type', 'length/2 takes a list, or a number that is not large')
  const more = wanted.value - items.length
  if (more < 0) return false
  budget.spend(STEPS_AN_ITEM * more)
  return bindings.unify(tail, listOf(Array.from({ length: more }, () => bindings.fresh())))
}

const univ: Builtin = ({ bindings, budget }, args) => {
  const term = budget.deref(at(args, 0))
  if (term.kind === 'compound') return bindings.unify(at(args, 1), listOf([atom(term.name), ...term.args]))
  if (term.kind !== 'variable') return bindings.unify(at(args, 1), listOf([term]))
  const [head, ...rest] = properItems(at(args, 1), budget).map((item) => budget.deref(item))
  if (head === undefined || (head.kind !== 'atom' && rest.length > 0)) throw new Fault('type', '=.. takes a name')
  return bindings.unify(term, rest.length === 0 ? head : compound(head.kind === 'atom' ? head.name : '', ...rest))
}

/** What is built in and holds at most once. Nothing here reads or writes anything but terms. */
export const builtins: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['=/2', ({ bindings }, args) => bindings.unify(at(args, 0), at(args, 1))],
  ['\\=/2', different],
  ['dif/2', distinct],
  ['==/2', ordered((order) => order === 0)],
  ['\\==/2', ordered((order) => order !== 0)],
  ['@</2', ordered((order) => order < 0)],
  ['@>/2', ordered((order) => order > 0)],
  ['@=</2', ordered((order) => order <= 0)],
  ['@>=/2', ordered((order) => order >= 0)],
  ['is/2', ({ bindings, budget }, args) => bindings.unify(at(args, 0), evaluate(at(args, 1), budget))],
  ['=:=/2', calculated((a, b) => a === b)],
  ['=\\=/2', calculated((a, b) => a !== b)],
  ['</2', calculated((a, b) => a < b)],
  ['>/2', calculated((a, b) => a > b)],
  ['=</2', calculated((a, b) => a <= b)],
  ['>=/2', calculated((a, b) => a >= b)],
  ['var/1', kinds('variable')],
  ['nonvar/1', kinds('atom', 'number', 'compound')],
  ['atom/1', kinds('atom')],
  ['atomic/1', kinds('atom', 'number')],
  ['compound/1', kinds('compound')],
  ['callable/1', kinds('atom', 'compound')],
  ['number/1', kinds('number')],
  ['integer/1', ({ budget }, args) => isNumber(budget.deref(at(args, 0)), false)],
  ['float/1', ({ budget }, args) => isNumber(budget.deref(at(args, 0)), true)],
  ['succ/2', successor],
  ['length/2', length],
  ['sort/2', sort],
  ['msort/2', msort],
  ['=../2', univ],
])

const isNumber = (found: Term, float: boolean): boolean => found.kind === 'number' && found.float === float

function successor({ bindings, budget }: Run, args: readonly Term[]): boolean {
  const [low, high] = [budget.deref(at(args, 0)), budget.deref(at(args, 1))]
  if (low.kind === 'number') return bindings.unify(high, integer(low.value + 1))
  if (high.kind !== 'number') throw new Fault('type', 'succ/2 takes a number')
  return high.value > 0 && bindings.unify(low, integer(high.value - 1))
}
