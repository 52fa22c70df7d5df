import { memoize } from '../../../core/index.ts'
import { parseRelicGrammar } from '../../../libraries/grammars/notation/relic.ts'
import { compileEarley } from '../../../libraries/grammars/recognise/earley.ts'
import type { Shared } from '../grammars/grammar.ts'
import type { RelicQuestion } from './prompt.ts'

const earley = memoize((shared: Shared) => {
  const grammar = parseRelicGrammar(shared.grammar)
  return {
    numbers: new Map(grammar.terminals.map((terminal, t) => [terminal, t])),
    recognizer: compileEarley(grammar),
  }
})

/** Membership by Earley's algorithm, top-down: another principle than the generator's end masks. */
export function oracle({ shared, given }: RelicQuestion, answer: boolean): boolean {
  const { numbers, recognizer } = earley(shared)
  const tokens = given.string.split(' ').map((token) => numbers.get(token) ?? -1)
  return recognizer.accepts(tokens) === answer
}
