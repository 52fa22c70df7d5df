import type { Clause, Term } from '../prolog/terms.ts'
import { rulesOf } from '../run-rules.ts'
import { type Answer, attributeNames, attributes, EAST } from './question.ts'
import { type Property, type Rule, rulesOfAnyForm, ruleText } from './rule.ts'

let byText: ReadonlyMap<string, Rule> | undefined

/**
 * Parsed from a clause in the form of the target, with any variable names; a rule with negation, recursion or numbers only as it is
 * written here. null: another form.
 */
export function targetRuleOf(text: Answer): Rule | null {
  const rules = rulesOf(text, EAST)
  const [clause, ...others] = rules.kind === 'rules' ? rules.clauses : []
  byText ??= new Map(rulesOfAnyForm().map((rule) => [ruleText(rule), rule]))
  const known = byText.get(text.trim())
  if (known !== undefined) return known
  if (clause === undefined || others.length > 0) return null
  const letters = lettersOf(clause)
  const goals = conjuncts(clause.body).map((goal) => shapeOf(goal, letters))
  const propertiesOf = (car: string): readonly Property[] =>
    goals.flatMap((goal) => (goal?.[1] === car && names.includes(goal[0]) ? [propertyOf(goal[0], goal[2])] : []))
  const links = goals.filter((goal) => goal === null || !names.includes(goal[0])).map((goal) => goal?.join(' '))
  const [first, second] = [propertiesOf('A'), propertiesOf('B')]
  const wanted = second.length === 0 ? 'has_car T A' : 'has_car T A,front_of A B'
  return links.join() === wanted && first.length > 0 && first.length + second.length + links.length === goals.length
    ? { first, second, link: 'next' }
    : null
}

const names: readonly string[] = attributeNames

/** An unknown value is none that a car can have. */
const propertyOf = (name: string, value: string): Property => [
  names.indexOf(name),
  (attributes[name as keyof typeof attributes] as readonly string[]).indexOf(value),
]

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
