import { type Baseline, pick, solutionText } from '../../../core/index.ts'
import { fenced } from '../grammars/asking.ts'
import { bracketed, type Derivation, namedRule } from '../grammars/derivation.ts'
import { analyzerOf, liftedOf, printedRules, type Shared, tokensOf } from '../grammars/grammar.ts'
import type { Given } from './draw.ts'
import type { ParseQuestion } from './prompt.ts'
import { lookAhead } from './shortcuts.ts'
import { solution } from './truth.ts'

const derivationOf = ({ shared, given }: ParseQuestion): Derivation =>
  printedRules(shared, analyzerOf(shared).derivation(tokensOf(shared, given.string)) ?? []).map(namedRule)

/** The derivation in steps; a step is a line. */
function worked(question: ParseQuestion): { readonly text: string; readonly steps: number } {
  const text = solutionText(solution({ ...question, answer: derivationOf(question) }), 'full')
  return { text, steps: text.split('\n').length }
}

/** Most rules of a random derivation. */
const MAX_RULES = 200

/** From exact to blind. */
export const baselines: { readonly [name: string]: Baseline<Shared, Given> } = {
  chart: {
    kind: 'chat',
    note: 'exact: a chart, then one derivation of it',
    answer: (question) => worked(question).text,
    work: worked,
  },
  'look-ahead': {
    kind: 'chat',
    note: 'from the top, a random rule that fits the tokens at the edges; never goes back',
    answer({ shared, given }, draws) {
      const rules = lookAhead(shared, tokensOf(shared, given.string), draws.stream('choices'))
      return rules === null
        ? 'No derivation found.'
        : fenced(bracketed(shared, printedRules(shared, rules).map(namedRule)))
    },
  },
  random: {
    kind: 'chat',
    note: 'a random derivation from S, whatever the string',
    answer({ shared }, draws) {
      const stream = draws.stream('choices')
      const { rules } = liftedOf(shared)
      const derivation: string[][] = []
      const pending = ['S']
      while (pending.length > 0 && derivation.length < MAX_RULES) {
        const symbol = pending.pop()
        const own = rules.filter(({ left }) => left === symbol)
        if (own.length === 0) continue
        const rule = pick(stream, own)
        derivation.push([...namedRule(rule)])
        for (const { kind, name } of rule.right.toReversed()) if (kind === 'nonterminal') pending.push(name)
      }
      return fenced(bracketed(shared, derivation))
    },
  },
}
