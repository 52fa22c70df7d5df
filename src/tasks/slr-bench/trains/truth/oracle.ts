import { memoize } from '../../../../core/index.ts'
import { type Judged, judge, type Rules, rulesOf } from '../../judge.ts'
import { readProgram } from '../../prolog/read.ts'
import type { Clause, Term } from '../../prolog/terms.ts'
import { labelled, type World, worldsOf } from '../../worlds.ts'
import { factsOf, shownFacts, trainName } from '../facts.ts'
import { type Answer, asked, EAST, type Given, type Question, type Trains, WEST } from '../question.ts'

/** Worlds to be judged, and what is true of each. */
export interface Case {
  readonly worlds: readonly World[]
  readonly labels: readonly boolean[]
}

function caseOf(program: string, positive: string, negative: string): Case {
  const { subjects, labels, background } = labelled(readProgram(program), positive, negative)
  return { worlds: worldsOf(background, subjects), labels }
}

/** What the question shows, as a program taken apart. */
export const shownCase = memoize(
  (given: Given): Case =>
    given.kind === 'trains'
      ? caseOf(shownFacts(given).join('\n'), EAST, WEST)
      : caseOf(given.program, given.positive, given.negative),
)

/** The trains that are kept back. */
export const hiddenWorlds = memoize(({ hidden }: Trains): readonly World[] =>
  worldsOf(
    readProgram(hidden.flatMap((train, i) => factsOf(train, trainName(i))).join('\n')),
    hidden.map((_, i) => trainName(i)),
  ),
)

export interface Marked {
  readonly rules: Rules
  readonly judged: readonly Judged[]
  readonly right: number
  /** Is it the one rule that was asked for? Published questions take any program. */
  readonly form: boolean
}

/** Runs an answer on what the question shows. */
export function mark(given: Given, answer: Answer): Marked {
  const { worlds, labels } = shownCase(given)
  const rules = rulesOf(answer, asked(given))
  if (rules.kind === 'fault') return { rules, judged: [], right: 0, form: false }
  const judged = judge(rules.clauses, asked(given), worlds)
  const right = judged.filter((found, i) => found === (labels[i] === true ? 'holds' : 'fails')).length
  return { rules, judged, right, form: given.kind === 'published' || isOneRule(rules.clauses, given.goals) }
}

/** Second oracle: the facts of the prompt and the answer, run by an interpreter of Prolog. */
export function oracle({ given }: Question, answer: Answer): boolean {
  const { right, form } = mark(given, answer)
  return form && right === shownCase(given).labels.length
}

const isOneRule = (clauses: readonly Clause[], most: number): boolean =>
  clauses.length === 1 && goalsIn((clauses[0] as Clause).body) <= most

const CONTROL: ReadonlySet<string> = new Set([',', ';', '->'])

/** Goals of a body, those inside of others too. */
function goalsIn(body: Term): number {
  let goals = 0
  const open = [body]
  for (let goal = open.pop(); goal !== undefined; goal = open.pop()) {
    if (goal.kind === 'compound' && CONTROL.has(goal.name)) open.push(...goal.args)
    else {
      goals++
      // Whatever a goal holds can be called by it.
      if (goal.kind === 'compound') open.push(...goal.args.filter((arg) => arg.kind === 'compound'))
    }
  }
  return goals
}
