import type { Budget } from './budget.ts'
import { Fault } from './fault.ts'
import { EMPTY, LIST, type Term } from './terms.ts'

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
