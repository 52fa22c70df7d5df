import { type Grade, memoize, type Problem } from '../../../core/index.ts'
import { readProgram } from '../prolog/read.ts'
import { type Clause, indicator, type Term } from '../prolog/terms.ts'
import { type RuleOutcome, type Rules, rulesOf, runRules } from '../run-rules.ts'
import { labelled, type TestCase, testCasesOf } from '../test-cases.ts'
import {
  type Answer,
  askedPredicate,
  commonFacts,
  EAST,
  factsOf,
  type Given,
  type Question,
  type Shared,
  shownFacts,
  type Trains,
  trainName,
  WEST,
} from './question.ts'

/** Worlds to be judged, and what is true of each. */
interface Case {
  readonly worlds: readonly TestCase[]
  readonly labels: readonly boolean[]
}

function caseOf(program: string, positive: string, negative: string): Case {
  const { subjects, labels, background } = labelled(readProgram(program), positive, negative)
  return { worlds: testCasesOf(background, subjects), labels }
}

/** What the question shows, as a program taken apart. */
export const shownCase = memoize(
  (given: Given): Case =>
    given.kind === 'trains'
      ? caseOf([...commonFacts(given), ...shownFacts(given)].join('\n'), EAST, WEST)
      : caseOf(given.program, given.positive, given.negative),
)

/** The trains that are kept back. */
const hiddenWorlds = memoize((given: Trains): readonly TestCase[] =>
  testCasesOf(
    readProgram(
      [...commonFacts(given), ...given.hidden.flatMap((train, i) => factsOf(train, trainName(i)))].join('\n'),
    ),
    given.hidden.map((_, i) => trainName(i)),
  ),
)

interface Marked {
  readonly rules: Rules
  readonly judged: readonly RuleOutcome[]
  readonly right: number
  /** Is it a single rule as requested? Published questions accept any program. */
  readonly form: boolean
}

/** Runs an answer on what the question shows. */
export function mark(given: Given, answer: Answer): Marked {
  const { worlds, labels } = shownCase(given)
  const rules = rulesOf(answer, askedPredicate(given))
  if (rules.kind === 'fault') return { rules, judged: [], right: 0, form: false }
  const judged = runRules(rules.clauses, askedPredicate(given), worlds)
  const right = judged.filter((found, i) => found === (labels[i] === true ? 'holds' : 'fails')).length
  return { rules, judged, right, form: given.kind === 'published' || isOneRule(rules.clauses, given) }
}

/** Second oracle: the facts of the prompt and the answer, run by an interpreter of Prolog. */
export function oracle({ given }: Question, answer: Answer): boolean {
  const { right, form } = mark(given, answer)
  return form && right === shownCase(given).labels.length
}

/** Clauses of a predicate of one's own where rules may be recursive. */
const MAX_HELPERS = 2

const isOneRule = (clauses: readonly Clause[], { goals, anyForm }: Trains): boolean =>
  clauses.length <= 1 + (anyForm === true ? MAX_HELPERS : 0) &&
  clauses.filter(({ head }) => indicator(head) === `${EAST}/1`).length === 1 &&
  clauses.reduce((sum, { body }) => sum + goalsIn(body), 0) <= goals

const CONTROL: ReadonlySet<string> = new Set([',', ';', '->'])

/** Goals of a body, those inside of others too. */
function goalsIn(body: Term): number {
  let goals = 0
  const open = [body]
  for (let goal = open.pop(); goal !== undefined; goal = open.pop()) {
    if (goal.kind === 'compound' && CONTROL.has(goal.name)) open.push(...goal.args)
    else {
      goals++
      // Any goal inside a goal can be called by it.
      if (goal.kind === 'compound') open.push(...goal.args.filter((arg) => arg.kind === 'compound'))
    }
  }
  return goals
}

/**
 * 1 if the answer holds of all eastbound trains and of no other. Subscores: `partial`, the share of trains that are
 * correct; `syntax`, whether it is Prolog that defines the predicate; for generated items `form`, whether it is a
 * single rule, `heldOut`, the share of held-out trains on which it agrees with the target, and `gap`, how much larger `partial` is.
 */
export function grade({ given, answer: truth }: Problem<Shared, Given, Answer>, answer: Answer): Grade {
  const { rules, right, form } = mark(given, answer)
  const all = shownCase(given).labels.length
  const parts: Record<string, number> = { partial: right / all, syntax: rules.kind === 'rules' ? 1 : 0 }
  if (given.kind === 'trains') {
    parts['form'] = form ? 1 : 0
    parts['heldOut'] = 0
    const gold = rulesOf(truth, askedPredicate(given))
    if (rules.kind === 'rules' && gold.kind === 'rules') {
      const worlds = hiddenWorlds(given)
      const wanted = runRules(gold.clauses, askedPredicate(given), worlds)
      const found = runRules(rules.clauses, askedPredicate(given), worlds)
      parts['heldOut'] = found.filter((one, i) => one === wanted[i]).length / worlds.length
    }
    parts['gap'] = right / all - parts['heldOut']
  }
  return { value: form && right === all ? 1 : 0, parts }
}
