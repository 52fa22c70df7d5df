import type { Rule } from '../../libraries/rewriting/index.ts'
import type { Pairs } from './types.ts'

/** The witness of a cascade: the words after each rule, the last ones being the outputs. */
export type Trace = readonly (readonly string[])[]

/**
 * Checks a trace letter by letter: each word must be the one before it with every place where the left side stands, read
 * from the left and never twice, written over. No search; linear in the trace.
 */
export function checkTrace({ inputs, outputs }: Pairs, rules: readonly Rule[], trace: Trace): boolean {
  if (!Array.isArray(trace) || trace.length !== rules.length) return false
  let before = inputs
  for (const [k, rule] of rules.entries()) {
    const after = trace[k] as readonly string[]
    if (!Array.isArray(after) || after.length !== before.length) return false
    if (!before.every((word, i) => typeof after[i] === 'string' && isRewritten(word, after[i] as string, rule)))
      return false
    before = after
  }
  return before.length === outputs.length && before.every((word, i) => word === outputs[i])
}

function isRewritten(before: string, after: string, [left, right]: Rule): boolean {
  if (left === '') return false
  let at = 0
  let written = 0
  while (at < before.length) {
    if (before.startsWith(left, at)) {
      if (!after.startsWith(right, written)) return false
      at += left.length
      written += right.length
    } else {
      if (after[written] !== before[at]) return false
      at++
      written++
    }
  }
  return written === after.length
}
