import { memoize } from '../../../core/index.ts'
import { compileRecognizer } from '../../../libraries/grammars/recognise/recognizer.ts'
import { lenientChoice } from '../../../libraries/language/choice-parser.ts'
import { compiled, tokensOf } from '../recognize/compiled.ts'
import { namedRules } from '../recognize/reading/named-rules.ts'
import { namesOf } from '../recognize/reading/names.ts'
import { verdicts } from '../recognize/reading/score.ts'
import { stated } from '../recognize/reading/stated.ts'
import type { StrategyQuestion } from './prompt.ts'
import type { Strategy } from './strategies.ts'

/** A line that only a program has. */
const PROGRAM =
  /^\s{0,40}(?:def \w+\(|function \w+\(|for \w+ in |while \w|return \b|import \w|(?:const|let|var) \w+ = |if .{1,80}[:{]$)/mu
/** Fewer characters than this, with no rule among them, are a verdict and no reason. */
const BARE = 60

/**
 * The strategy that can be proved of a response, by the same rule for every respondent: `code` where it writes lines of a program;
 * `rule-based` where nothing false is stated and either a derivation or chart in our notation decides as the response does, or the
 * rules that it states derive the string by themselves (for a Yes), or every rule of the start symbol is stated (for a No: no
 * way to begin was passed over); else `heuristic`, or `none` where it has hardly a word. Strict: a proof told in other words is not seen.
 */
export function checkedStrategy(question: StrategyQuestion): Strategy {
  const { response } = question.given
  if (PROGRAM.test(response)) return 'code'
  const { steps } = stated(question, response)
  if (steps.length === 0) return response.trim().length < BARE ? 'none' : 'heuristic'
  if (steps.some(({ holds }) => !holds)) return 'heuristic'
  const said = verdictOf(response)
  if (said === null) return 'heuristic'
  const decided = steps.flatMap(({ decides }) => decides ?? [])
  if (decided.length > 0) return decided.every((one) => one === said) ? 'rule-based' : 'heuristic'
  const rules = rulesIn(question)
  return (said === 'Yes' ? derive(question, rules) : beginsAll(question, rules)) ? 'rule-based' : 'heuristic'
}

const verdictOf = (text: string): string | null => {
  const found = lenientChoice(text, verdicts)
  return found.kind === 'extracted' ? found.answer : null
}

/** Keys of all rules that a response states. */
function rulesIn({ shared, given }: StrategyQuestion): ReadonlySet<string> {
  const names = namesOf(shared)
  return new Set(
    given.response.split('\n').flatMap((line) => namedRules(names, line).flatMap(({ rule }) => rule ?? [])),
  )
}

/** Is the string in the language of these rules alone? */
function derive(question: StrategyQuestion, rules: ReadonlySet<string>): boolean {
  const { nonterminals, terminals, binary, lexical } = compiled(question.shared)
  const kept = (flat: Int32Array, width: number): Int32Array =>
    Int32Array.from(
      Array.from({ length: flat.length / width }, (_, i) => Array.from(flat.subarray(width * i, width * (i + 1))))
        .filter((rule) => rules.has(rule.join(' ')))
        .flat(),
    )
  const part = { nonterminals, terminals, binary: kept(binary, 3), lexical: kept(lexical, 2) }
  return compileRecognizer(part).accepts(tokensOf(question))
}

const startRules = memoize((shared: StrategyQuestion['shared']): readonly string[] =>
  [...namesOf(shared).binary].filter((rule) => rule.startsWith('0 ')),
)

const beginsAll = ({ shared }: StrategyQuestion, rules: ReadonlySet<string>): boolean =>
  startRules(shared).every((rule) => rules.has(rule))
