import { evaluate } from './arithmetic.ts'
import { compareTerms, distinctTerms } from './bindings.ts'
import { Fault } from './limits.ts'
import type { Machine } from './machine.ts'
import { compound, integer, listOf, type Numeral, type Term, type Variable } from './terms.ts'

/** Goals of which one after another is tried; none: it fails. */
type Collector = (machine: Machine, args: readonly Term[], depth: number) => readonly Term[]

const equals = (a: Term, b: Term): Term => compound('=', a, b)

/** Copies of the template, one a proof; nothing stays bound. */
function solutions(machine: Machine, template: Term, goal: Term, depth: number): readonly Term[] {
  const found: Term[] = []
  const { mark } = machine.bindings
  machine.each(goal, depth, () => {
    found.push(machine.bindings.copy(template))
    return true
  })
  machine.bindings.undo(mark)
  return found
}

const findall: Collector = (machine, [template, goal, list], depth) => [
  equals(list as Term, listOf(solutions(machine, template as Term, goal as Term, depth))),
]

/** `bagof/3` and `setof/3`: a list for each binding of the variables that are neither in the template nor before a ^. */
const grouped =
  (set: boolean): Collector =>
  (machine, args, depth) => {
    const [template, , list] = args as readonly [Term, Term, Term]
    const closed = new Set<Variable>()
    variablesOf(machine, template, closed)
    let goal = machine.budget.deref(args[1] as Term)
    while (goal.kind === 'compound' && goal.name === '^' && goal.args.length === 2) {
      variablesOf(machine, goal.args[0] as Term, closed)
      goal = machine.budget.deref(goal.args[1] as Term)
    }
    const all = new Set<Variable>()
    variablesOf(machine, goal, all)
    const free = listOf([...all].filter((one) => !closed.has(one)))
    const pairs = solutions(machine, compound('-', free, template), goal, depth).map(
      (pair) => (pair as { readonly args: readonly Term[] }).args as readonly [Term, Term],
    )
    const groups: { readonly key: Term; readonly items: Term[] }[] = []
    for (const [key, item] of pairs) {
      const group = groups.find((one) => compareTerms(one.key, key, machine.budget) === 0)
      if (group === undefined) groups.push({ key, items: [item] })
      else group.items.push(item)
    }
    groups.sort((a, b) => compareTerms(a.key, b.key, machine.budget))
    return groups.map(({ key, items }) =>
      compound(',', equals(free, key), equals(list, listOf(set ? distinctTerms(items, machine.budget) : items))),
    )
  }

function variablesOf({ budget }: Machine, term: Term, into: Set<Variable>): void {
  const open = [term]
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    budget.spend()
    const at = budget.deref(one)
    if (at.kind === 'variable') into.add(at)
    if (at.kind === 'compound') open.push(...[...at.args].reverse())
  }
}

const aggregate: Collector = (machine, args, depth) => {
  const [what, goal, result] = args as readonly [Term, Term, Term]
  const kind = machine.budget.deref(what)
  const name = kind.kind === 'atom' || kind.kind === 'compound' ? kind.name : ''
  const found = solutions(machine, kind.kind === 'compound' ? (kind.args[0] as Term) : kind, goal, depth)
  const numbers = () => found.map((one) => evaluate(one, machine.budget))
  const best = (better: (a: number, b: number) => boolean): readonly Term[] => {
    const [first, ...rest] = numbers()
    if (first === undefined) return []
    return [
      equals(
        result,
        rest.reduce((kept: Numeral, one) => (better(one.value, kept.value) ? one : kept), first),
      ),
    ]
  }
  switch (name) {
    case 'count':
      return [equals(result, integer(found.length))]
    case 'sum':
      return [
        equals(
          result,
          numbers().reduce((sum, one) => evaluate(compound('+', sum, one), machine.budget), integer(0)),
        ),
      ]
    case 'max':
      return best((a, b) => a > b)
    case 'min':
      return best((a, b) => a < b)
    case 'bag':
      return [equals(result, listOf(found))]
    case 'set':
      return [equals(result, listOf(distinctTerms(found, machine.budget)))]
    default:
      throw new Fault('type', 'aggregate_all/3 takes count, sum, max, min, bag or set')
  }
}

/** What gathers all proofs of a goal. */
export const collectors: ReadonlyMap<string, Collector> = new Map([
  ['findall/3', findall],
  ['bagof/3', grouped(false)],
  ['setof/3', grouped(true)],
  ['aggregate_all/3', aggregate],
])
