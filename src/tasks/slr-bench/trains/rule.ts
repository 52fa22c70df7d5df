import { attributeNames, attributes, EAST, type Train, valueName } from './question.ts'

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

/** Does the rule hold of the car at this place? Looked up car by car. */
export function decides(train: Train, at: number, { first, second }: Rule): boolean {
  const fits = (car: number, wanted: readonly Property[]): boolean =>
    wanted.every(([attribute, value]) => train[car]?.[attribute] === value)
  return fits(at, first) && (second.length === 0 || (at + 1 < train.length && fits(at + 1, second)))
}
