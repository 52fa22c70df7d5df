import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import { summarizeTrace } from '../../../core/index.ts'
import { liftGrammar } from '../../../libraries/grammars/grammar/lift.ts'
import { compileRecognizer } from '../../../libraries/grammars/recognise/recognizer.ts'
import { lenientChoice } from '../../../libraries/language/choice-parser.ts'
import { liftedOf, nameOf } from '../grammars/grammar.ts'
import { namedRules } from '../recognize/named-rules.ts'
import { verdicts } from '../recognize/parsers.ts'
import { checkSteps } from '../recognize/proof.ts'
import type { Strategy, StrategyQuestion } from './prompt.ts'

/** A line that only a program has. */
export const PROGRAM =
  /^\s{0,40}(?:def \w+\(|function \w+\(|for \w+ in |while \w|return \b|import \w|(?:const|let|var) \w+ = |if .{1,80}[:{]$)/mu
/** Fewer characters than this, with no rule among them, are a verdict and no reason. */
export const BARE = 60

/**
 * The strategy that can be proved, by the same rule for every model: `code` if it writes lines of a program;
 * `rule-based` if no stated step is false and either a derivation or chart in our notation decides as the response
 * does, or its rules derive the string (for Yes), or all rules of the start symbol are stated (for No); else
 * `heuristic`, or `none` for hardly any text. Strict: a proof in other words is not recognized.
 */
export function checkedStrategy(question: StrategyQuestion): Strategy {
  const { response } = question.given
  if (PROGRAM.test(response)) return 'code'
  const { steps } = checkSteps(question, response)
  if (steps.length === 0) return response.trim().length < BARE ? 'none' : 'heuristic'
  if (steps.some(({ holds }) => !holds)) return 'heuristic'
  const said = verdictOf(response)
  if (said === null) return 'heuristic'
  const isProved = decidesAsSaid(steps, said)
  if (isProved !== null) return isProved ? 'rule-based' : 'heuristic'
  const rules = rulesIn(question)
  return (said === 'Yes' ? derive(question, rules) : beginsAll(question, rules)) ? 'rule-based' : 'heuristic'
}

/** Does a derivation or chart in our notation decide as the response does? null: it has none. */
function decidesAsSaid(steps: ReturnType<typeof checkSteps>['steps'], said: string | null): boolean | null {
  const decided = steps.flatMap(({ decides }) => decides ?? [])
  return decided.length === 0 ? null : steps.every(({ holds }) => holds) && decided.every((one) => one === said)
}

/** Whether a response is decided in our notation, which reads as no prose of a model does. */
export const isWorked = (question: StrategyQuestion): boolean =>
  decidesAsSaid(checkSteps(question, question.given.response).steps, verdictOf(question.given.response)) === true

const verdictOf = (text: string): string | null => {
  const found = lenientChoice(text, verdicts)
  return found.kind === 'extracted' ? found.answer : null
}

/** All rules of the grammar that a response states, by names. */
const rulesIn = ({ shared, given }: StrategyQuestion): ReadonlySet<string> =>
  new Set(given.response.split('\n').flatMap((line) => namedRules(shared, line).flatMap(({ rule }) => rule ?? [])))

/** Is the string in the language of these rules alone? */
function derive({ shared, given }: StrategyQuestion, stated: ReadonlySet<string>): boolean {
  const rules = liftedOf(shared).rules.filter((rule) => stated.has(nameOf(rule)))
  const { cnf } = liftGrammar({ start: 'S', rules })
  const numbers = new Map(cnf.terminals.map((name, token) => [name, token]))
  return compileRecognizer(cnf).accepts(given.string.split(' ').map((name) => numbers.get(name) ?? -1))
}

const beginsAll = ({ shared }: StrategyQuestion, stated: ReadonlySet<string>): boolean =>
  liftedOf(shared).rules.every((rule) => rule.left !== 'S' || stated.has(nameOf(rule)))

/** What is known of a judged response. */
export const features = z.object({
  respondent: feature(z.string(), 'id', 'Who wrote the response'),
  length: feature(z.int(), 'difficulty', 'Tokens in the string', 'tokens'),
  label: feature(z.boolean(), 'truth', 'Is the string in the language?'),
  right: feature(
    z.boolean().nullable(),
    'truth',
    'Whether the strict parser found the correct verdict; null: unparsed',
  ),
  finish: feature(z.string(), 'nuisance', 'How the response ended'),
  characters: feature(z.int(), 'nuisance', 'Characters of the response', 'characters'),
  steps: feature(z.int(), 'nuisance', 'Steps stated in the response'),
  trueSteps: feature(
    z.number().nullable(),
    'nuisance',
    'Share of the stated steps that are true; null: none stated',
    'share',
  ),
  firstFalse: feature(
    z.number().nullable(),
    'nuisance',
    'Position of the first false step in the text, 0 to 1; null: none',
    'share',
  ),
  strangers: feature(z.int(), 'nuisance', 'Different symbols in its steps that the grammar does not have'),
})

/** The trace checker's columns of a response. */
export function traced(question: StrategyQuestion) {
  const { response } = question.given
  const { steps, trueSteps: holding, firstFalse, unknown } = summarizeTrace(checkSteps(question, response), null)
  return {
    characters: response.length,
    steps,
    trueSteps: steps === 0 ? null : holding / steps,
    firstFalse: firstFalse === null ? null : firstFalse[0] / response.length,
    strangers: unknown.length,
  }
}
