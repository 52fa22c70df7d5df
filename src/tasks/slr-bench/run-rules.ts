import { Fault, type FaultKind } from './prolog/limits.ts'
import { prove } from './prolog/machine.ts'
import { readProgram } from './prolog/read.ts'
import { atom, byIndicator, type Clause, compound, indicator, type Program } from './prolog/terms.ts'
import type { TestCase } from './test-cases.ts'

/** Longest answer that is run, in characters. */
export const MAX_ANSWER_LENGTH = 20_000

export type Rules =
  | { readonly kind: 'rules'; readonly clauses: readonly Clause[] }
  | { readonly kind: 'fault'; readonly reason: string }

/** The clauses of an answer; a fault: invalid Prolog, or the predicate is not defined. */
export function rulesOf(text: string, asked: string): Rules {
  if (text.length > MAX_ANSWER_LENGTH) return { kind: 'fault', reason: `longer than ${MAX_ANSWER_LENGTH} characters` }
  try {
    const clauses = readProgram(text)
    return clauses.some(({ head }) => indicator(head) === `${asked}/1`)
      ? { kind: 'rules', clauses }
      : { kind: 'fault', reason: `it does not define ${asked}/1` }
  } catch (error) {
    if (error instanceof Fault) return { kind: 'fault', reason: error.message }
    throw error
  }
}

/** Steps that an answer may take for one world, and for all of them together. */
const STEPS = 200_000
const STEPS_IN_ALL = 2_000_000

export type RuleOutcome = 'holds' | 'fails' | FaultKind

/**
 * The outcome of the rules on each test case, which knows only itself. Clauses that would add to the facts are ignored,
 * so that no answer can change its test case.
 */
export function runRules(
  clauses: readonly Clause[],
  asked: string,
  worlds: readonly TestCase[],
): readonly RuleOutcome[] {
  const facts = new Set(worlds.flatMap(({ program }) => [...program.keys()]))
  const own = byIndicator(clauses.filter(({ head }) => !facts.has(indicator(head) ?? '')))
  const nothing = [...facts].map((key): readonly [string, readonly Clause[]] => [key, []])
  let left = STEPS_IN_ALL
  return worlds.map(({ program, subject }) => {
    const whole: Program = new Map([...nothing, ...own, ...program])
    const most = Math.min(STEPS, left)
    const verdict = prove(whole, compound(asked, atom(subject)), most)
    left -= most - verdict.left
    if (verdict.kind === 'fault') return verdict.fault.fault
    return verdict.kind === 'proved' ? 'holds' : 'fails'
  })
}
