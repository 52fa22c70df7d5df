import type { Streams, Unreachable } from '../../../core/index.ts'
import type { Config } from './config.ts'
import { candidates, grammarOf, noCandidate, sharedOf } from './grammars.ts'
import type { Plan } from './plan.ts'
import type { Shared } from './prompt.ts'

/** The grammar of group g: the plan's, or, where groups come without end, one from the group's own stream. */
export function group(config: Config, plan: Plan, g: number, draws: Streams): Shared | Unreachable {
  if (plan === null) {
    const next = candidates(config, draws.stream('grammar'), draws).next()
    return next.done === true
      ? { kind: 'unreachable', proved: false, reason: noCandidate }
      : sharedOf(next.value.grammar)
  }
  const key = plan.grammars[g] as string
  const grammar = grammarOf(config, key)
  if (grammar === null) throw new Error(`the plan's grammar key ${key} gives an empty language`)
  return sharedOf(grammar)
}
