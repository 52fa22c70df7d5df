import { type Budget, DEEPEST_TERM } from './budget.ts'
import type { Term } from './terms.ts'

const RANK = { variable: 0, number: 1, atom: 2, compound: 3 } as const

/** The standard order of terms: variables, numbers, names, compounds by arity, name, arguments. */
export function compareTerms(a: Term, b: Term, budget: Budget, depth = 0): number {
  budget.spend()
  budget.enter(depth, DEEPEST_TERM)
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
