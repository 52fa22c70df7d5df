import type { Cnf } from '../grammar/cnf.ts'
import { type ParentRule, rulesByParent } from '../grammar/rule-lists.ts'

/** The symbols that come last in something that a symbol derives, itself among them. */
export const lastIn = (cnf: Cnf, symbol: number): ReadonlySet<number> => reached(rulesByParent(cnf), symbol)

function reached(rules: readonly (readonly ParentRule[])[], symbol: number): ReadonlySet<number> {
  const found = new Set([symbol])
  for (const parent of found) for (const { right } of rules[parent] as readonly ParentRule[]) found.add(right)
  return found
}

/** Symbols each of which comes last in each: where one is wanted to end, all are. */
export interface Companions {
  readonly members: readonly number[]
  /** Of those in which they come last by one rule, one of each other company. */
  readonly above: readonly number[]
}

/** Companies in an order in which those above come first; the lone that come last in nothing are left out. */
export function companions(cnf: Cnf): readonly Companions[] {
  const rules = rulesByParent(cnf)
  const last = rules.map((_, symbol) => reached(rules, symbol))
  const firstOf = last.map((below, a) => Math.min(...[...below].filter((b) => last[b]?.has(a))))
  const companies = new Map<number, { readonly members: number[]; readonly above: Set<number> }>()
  // Who is above reaches all that those below reach, and itself.
  for (const a of [...last.keys()].sort((a, b) => last[b]!.size - last[a]!.size)) {
    const first = firstOf[a] as number
    const company = companies.get(first) ?? { members: [], above: new Set() }
    companies.set(first, company)
    company.members.push(a)
  }
  for (const [parent, own] of rules.entries())
    for (const { right } of own)
      if (firstOf[right] !== firstOf[parent]) companies.get(firstOf[right]!)!.above.add(firstOf[parent]!)
  return [...companies.values()]
    .filter(({ members, above }) => members.length > 1 || above.size > 0)
    .map(({ members, above }) => ({ members, above: [...above] }))
}
