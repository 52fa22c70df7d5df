import type { Clause, Term } from '../prolog/terms.ts'
import { rulesOf } from '../run-rules.ts'
import { type Answer, attributeNames, attributes, EAST, type Train, valueName } from './question.ts'

/** A property of a car: number of the attribute, number of its value. */
export type Property = readonly [attribute: number, value: number]

/**
 * Some car has all of `first`; where `second` is not empty, the car right behind it has all of `second`. A train for which that
 * holds is eastbound.
 */
export interface Rule {
  readonly first: readonly Property[]
  readonly second: readonly Property[]
}

export const sizeOf = (rule: Rule): number => rule.first.length + rule.second.length

/** Which rules hold of a train? The cars of each value as bits from the front. */
export function judge(train: Train): (rule: Rule) => boolean {
  const cars = attributeNames.map((name, attribute) =>
    attributes[name].map((_, value) =>
      train.reduce((bits, car, i) => (car[attribute] === value ? bits | (1 << i) : bits), 0),
    ),
  )
  const having = (properties: readonly Property[]): number => {
    let bits = -1
    for (const [attribute, value] of properties) bits &= cars[attribute]?.[value] ?? 0
    return bits
  }
  return ({ first, second }) => (second.length === 0 ? having(first) : having(first) & (having(second) >> 1)) !== 0
}

export const holds = (rule: Rule, train: Train): boolean => judge(train)(rule)

const said = (car: string, properties: readonly Property[]): readonly string[] =>
  properties.map(([attribute, value]) => `${attributeNames[attribute]}(${car}, ${valueName(attribute, value)})`)

/** How many goals {@link ruleText} writes. */
export const goalsOf = (rule: Rule): number => sizeOf(rule) + (rule.second.length === 0 ? 1 : 2)

/** As an answer gives it. */
export function ruleText({ first, second }: Rule): string {
  const behind = second.length === 0 ? [] : ['front_of(A, B)', ...said('B', second)]
  return `${EAST}(T) :- has_car(T, A), ${[...said('A', first), ...behind].join(', ')}.`
}

/** All that a car can have. */
export const properties: readonly Property[] = attributeNames.flatMap((name, attribute) =>
  attributes[name].map((_, value): Property => [attribute, value]),
)

/** All sets of this many properties of different attributes. */
function setsOf(count: number, from = 0): readonly (readonly Property[])[] {
  if (count === 0) return [[]]
  return properties
    .filter(([attribute]) => attribute >= from)
    .flatMap((one) => setsOf(count - 1, one[0] + 1).map((rest) => [one, ...rest]))
}

const known = new Map<number, readonly Rule[]>()

/** Every rule of at most this many properties, the short ones first. */
export function rulesUpTo(most: number): readonly Rule[] {
  const cached = known.get(most)
  if (cached !== undefined) return cached
  const all: Rule[] = []
  for (let size = 1; size <= most; size++)
    for (let second = 0; second < size; second++)
      for (const one of setsOf(size - second))
        for (const other of setsOf(second)) all.push({ first: one, second: other })
  known.set(most, all)
  return all
}

/** Parsed from a clause in the form of the target, with any variable names; null: another form. */
export function targetRuleOf(text: Answer): Rule | null {
  const rules = rulesOf(text, EAST)
  const [clause, ...others] = rules.kind === 'rules' ? rules.clauses : []
  if (clause === undefined || others.length > 0) return null
  const letters = lettersOf(clause)
  const goals = conjuncts(clause.body).map((goal) => shapeOf(goal, letters))
  const propertiesOf = (car: string): readonly Property[] =>
    goals.flatMap((goal) => (goal?.[1] === car && names.includes(goal[0]) ? [propertyOf(goal[0], goal[2])] : []))
  const links = goals.filter((goal) => goal === null || !names.includes(goal[0])).map((goal) => goal?.join(' '))
  const [first, second] = [propertiesOf('A'), propertiesOf('B')]
  const wanted = second.length === 0 ? 'has_car T A' : 'has_car T A,front_of A B'
  return links.join() === wanted && first.length > 0 && first.length + second.length + links.length === goals.length
    ? { first, second }
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

/** Does the rule hold of the car at this place? Looked up car by car. */
export function decides(train: Train, at: number, { first, second }: Rule): boolean {
  const fits = (car: number, wanted: readonly Property[]): boolean =>
    wanted.every(([attribute, value]) => train[car]?.[attribute] === value)
  return fits(at, first) && (second.length === 0 || (at + 1 < train.length && fits(at + 1, second)))
}
