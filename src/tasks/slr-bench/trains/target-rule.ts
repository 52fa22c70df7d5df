import type { Clause, Term } from '../prolog/terms.ts'
import { rulesOf } from '../run-rules.ts'
import { type Answer, attributeNames, EAST, type Train, valueName } from './question.ts'

/** Attribute and value, as words. */
type CarProperties = readonly [attribute: string, value: string]

/** Properties of the first car and of the one behind it. */
export interface TargetRule {
  readonly first: readonly CarProperties[]
  readonly second: readonly CarProperties[]
}

/** Parsed from a clause in the form of the target, with any variable names; null: another form. */
export function targetRuleOf(text: Answer): TargetRule | null {
  const rules = rulesOf(text, EAST)
  const [clause, ...others] = rules.kind === 'rules' ? rules.clauses : []
  if (clause === undefined || others.length > 0) return null
  const letters = lettersOf(clause)
  const goals = conjuncts(clause.body).map((goal) => shapeOf(goal, letters))
  const propertiesOf = (car: string): readonly CarProperties[] =>
    goals.flatMap((goal) => (goal?.[1] === car && names.includes(goal[0]) ? [[goal[0], goal[2]] as const] : []))
  const links = goals.filter((goal) => goal === null || !names.includes(goal[0])).map((goal) => goal?.join(' '))
  const [first, second] = [propertiesOf('A'), propertiesOf('B')]
  const wanted = second.length === 0 ? 'has_car T A' : 'has_car T A,front_of A B'
  return links.join() === wanted && first.length > 0 && first.length + second.length + links.length === goals.length
    ? { first, second }
    : null
}

const names: readonly string[] = attributeNames

/** The target's variable names for those of a clause: the train is the one of the head. */
function lettersOf({ head, body }: Clause): ReadonlyMap<Term, string> {
  const letters = new Map<Term, string>()
  // The head's variable is the train.
  for (const term of [head, ...conjuncts(body)])
    for (const arg of term.kind === 'compound' ? term.args : [])
      if ((arg.kind === 'variable' || term === head) && !letters.has(arg)) letters.set(arg, 'TAB'[letters.size] ?? '')
  return letters
}

/** Name and arguments of a goal with a variable and another or a name; null of others. */
function shapeOf(
  goal: Term,
  letters: ReadonlyMap<Term, string>,
): readonly [name: string, first: string, second: string] | null {
  if (goal.kind !== 'compound' || goal.args.length !== 2) return null
  const [a, b] = goal.args
  const [first, second] = [letters.get(a as Term), b?.kind === 'atom' ? b.name : letters.get(b as Term)]
  return first === undefined || second === undefined ? null : [goal.name, first, second]
}

function conjuncts(body: Term): readonly Term[] {
  const goals: Term[] = []
  let at = body
  while (at.kind === 'compound' && at.name === ',') {
    goals.push(at.args[0] as Term)
    at = at.args[1] as Term
  }
  return [...goals, at]
}

/** Does the car at this place have all of these? */
const fits = (train: Train, at: number, wanted: readonly CarProperties[]): boolean => {
  const car = train[at]
  return (
    car !== undefined &&
    wanted.every(([attribute, value]) => {
      const number = names.indexOf(attribute)
      return number !== -1 && valueName(number, car[number] as number) === value
    })
  )
}

/** Does the rule hold of the car at this place? */
export const decides = (train: Train, at: number, { first, second }: TargetRule): boolean =>
  fits(train, at, first) && (second.length === 0 || fits(train, at + 1, second))
