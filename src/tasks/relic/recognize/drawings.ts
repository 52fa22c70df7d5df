import type { Json, Problem } from '../../../core/index.ts'
import { bigramVerdict } from '../../../libraries/grammars/grammar/adjacency.ts'
import { derivationOf } from '../grammars/derivation.ts'
import { chartDrawing, treeDrawing } from '../grammars/drawings.ts'
import { adjacencyOf, type Shared, tokensOf } from '../grammars/grammar.ts'
import type { Given } from './prompt.ts'

/** A positive as its derivation, and every string as its chart: which symbols derive which part of it. */
export function drawings({ shared, given: { string }, answer }: Problem<Shared, Given, boolean>): readonly Json[] {
  const verdict = answer ? null : bigramVerdict(adjacencyOf(shared), tokensOf(shared, string))
  return [
    ...(answer ? treeDrawing(shared, derivationOf(shared, string)) : []),
    ...(verdict !== null && 'at' in verdict ? [illegal(string.split(' '), verdict.at)] : []),
    chartDrawing(shared, string),
  ]
}

const illegal = (names: readonly string[], at: number): Json => ({
  kind: 'text',
  title: 'Why not',
  text:
    at === 0
      ? `No string begins with ${names[0]}.`
      : at === names.length - 1
        ? `${names[at]} in the last place: no string has it right after ${names[at - 1]}, or none ends with it.`
        : `No string has ${names[at]} right after ${names[at - 1]} (place ${at + 1}).`,
})
