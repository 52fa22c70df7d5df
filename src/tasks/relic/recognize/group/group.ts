import type { EmptyDraw, RandomStreams } from '../../../../core/index.ts'
import type { Cnf } from '../../../../libraries/grammars/grammar/cnf.ts'
import type { Config } from '../config.ts'
import { candidates, grammarOf, noCandidate, sharedOf } from '../grammars/candidates.ts'
import type { Plan } from '../grammars/plan.ts'
import { isSmall, pointOf } from '../grammars/select.ts'
import type { Shared } from '../prompt.ts'
import { taught } from './cell.ts'

/** Grammars that are looked at for one whose strings have twins, before the group is given up. */
const tries = 60

const localOnly: EmptyDraw = {
  kind: 'unreachable',
  proved: false,
  reason:
    `of ${tries} grammars of these sizes none has twins for a share of its strings: counts of n-grams nearly tell each language; ` +
    'take more nonterminals and binary rules, or twins: none',
}

/**
 * The grammar of group g: the plan's, or, where groups come without end, one from the group's own stream. A grammar whose
 * strings have next to no twins is replaced by the next of that stream, and never kept: what is local nearly tells its
 * language. Where grammars were selected, small ones give way to small ones and large ones to large ones.
 */
export function group(config: Config, plan: Plan, g: number, draws: RandomStreams): Shared | EmptyDraw {
  let looked = 0
  for (const shared of offered(config, plan, g, draws)) {
    if (taught(config, shared)?.plentiful !== false) return shared
    if (++looked === tries) return localOnly
  }
  return { kind: 'unreachable', proved: false, reason: noCandidate }
}

function* offered(config: Config, plan: Plan, g: number, draws: RandomStreams): Generator<Shared> {
  const planned = plan === null ? null : plannedGrammar(config, plan.grammars[g] as string)
  if (planned !== null) yield sharedOf(planned)
  const small = planned === null || config.selection === 'none' ? null : isSmall(pointOf(planned))
  for (const { grammar } of candidates(config, draws.stream('grammar'), draws))
    if (small === null || isSmall(pointOf(grammar)) === small) yield sharedOf(grammar)
}

function plannedGrammar(config: Config, key: string): Cnf {
  const grammar = grammarOf(config, key)
  if (grammar === null) throw new Error(`the plan's grammar key ${key} gives an empty language`)
  return grammar
}
