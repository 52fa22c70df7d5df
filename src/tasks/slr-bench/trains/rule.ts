import {
  attributeNames,
  attributes,
  type Comparison,
  comparisonNames,
  comparisons,
  EAST,
  MIN_WHEELS,
  type Train,
  valueName,
  WHEELS,
} from './question.ts'

/** A property of a car: number of the attribute, number of its value. */
export type Property = readonly [attribute: number, value: number]

/**
 * Some car has all of `first`, and by `link`: `next`: where `second` is not empty, the car right behind it has all of `second`;
 * `without`: the car lacks `second`; `later`: some car behind it has `second`; a comparison: the car right behind it has `second`,
 * and the wheels of the two compare so. A train for which that holds is eastbound.
 */
export interface Rule {
  readonly first: readonly Property[]
  readonly second: readonly Property[]
  readonly link: Link
}

export type Link = 'next' | 'without' | 'later' | Comparison

const isComparison = (link: Link): link is Comparison => link in comparisons

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
  const compared = new Map(
    comparisonNames.map((name) => [
      name,
      train.reduce((bits, _, i) => (compares(train, i, name) ? bits | (1 << i) : bits), 0),
    ]),
  )
  return ({ first, second, link }) => {
    const [one, other] = [having(first), having(second)]
    if (link === 'without') return (one & ~other) !== 0
    // Behind the foremost of the first.
    if (link === 'later') return (other & -((one & -one) << 1)) !== 0 && one !== 0
    const pairs = second.length === 0 ? one : one & (other >> 1)
    return (link === 'next' ? pairs : pairs & (compared.get(link) as number)) !== 0
  }
}

const wheelsOf = (train: Train, at: number): number => (train[at]?.[WHEELS] as number) + MIN_WHEELS

const compares = (train: Train, at: number, name: Comparison): boolean =>
  at + 1 < train.length && comparisons[name].holds(wheelsOf(train, at), wheelsOf(train, at + 1))

export const holds = (rule: Rule, train: Train): boolean => judge(train)(rule)

const said = (car: string, properties: readonly Property[]): readonly string[] =>
  properties.map(([attribute, value]) => `${attributeNames[attribute]}(${car}, ${valueName(attribute, value)})`)

/** How many goals {@link ruleText} writes. */
export const goalsOf = (rule: Rule): number => sizeOf(rule) + (rule.second.length === 0 ? 1 : 2)

/** How many goals an answer needs at most where rules have any form: a sum and what it is of are six of them. */
export const MAX_GOALS = 9

/** As an answer gives it. */
export function ruleText({ first, second, link }: Rule): string {
  const [one, other] = [said('A', first), said('B', second)]
  const clause = (...goals: readonly string[]): string => `${EAST}(T) :- has_car(T, A), ${goals.join(', ')}.`
  if (link === 'without') return clause(...one, ...said('A', second).map((goal) => `\\+ ${goal}`))
  if (link === 'later')
    return `${clause(...one, 'behind(A, B)', ...other)} behind(A, B) :- front_of(A, B). behind(A, B) :- front_of(A, C), behind(C, B).`
  if (link === 'next') return clause(...one, ...(second.length === 0 ? [] : ['front_of(A, B)', ...other]))
  const numbers = ['wheels(A, V)', 'amount(V, M)', 'wheels(B, W)', 'amount(W, N)', comparisons[link].text]
  return clause(...one, 'front_of(A, B)', ...other, ...numbers)
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
        for (const other of setsOf(second)) all.push({ first: one, second: other, link: 'next' })
  known.set(most, all)
  return all
}

let everyForm: readonly Rule[] | undefined

/** Every rule of two properties at most, of any form. */
export function rulesOfAnyForm(): readonly Rule[] {
  if (everyForm !== undefined) return everyForm
  const ones = setsOf(1)
  const pairs = ones.flatMap((first) => ones.map((second): Rule => ({ first, second, link: 'later' })))
  const still = [[], ...ones].filter(([one]) => one?.[0] !== WHEELS)
  everyForm = [
    ...rulesUpTo(2),
    ...pairs,
    ...pairs
      .filter(({ first, second }) => first[0]?.[0] !== second[0]?.[0])
      .map((rule): Rule => ({ ...rule, link: 'without' })),
    ...comparisonNames.flatMap((link) => [
      ...still.map((first): Rule => ({ first, second: [], link })),
      ...still.slice(1).map((second): Rule => ({ first: [], second, link })),
    ]),
  ]
  return everyForm
}

/** The car that the rule reads beside the one at this place, from which it holds; null: it reads one car. */
export function partnerOf(train: Train, at: number, { second, link }: Rule): number | null {
  if (link === 'later') return train.findIndex((_, car) => car > at && has(train, car, second))
  return link === 'without' || (link === 'next' && second.length === 0) ? null : at + 1
}

const has = (train: Train, car: number, wanted: readonly Property[]): boolean =>
  wanted.every(([attribute, value]) => train[car]?.[attribute] === value)

/** Does the rule hold of the car at this place? Looked up car by car. */
export function decides(train: Train, at: number, rule: Rule): boolean {
  const { first, second, link } = rule
  if (at < 0 || at >= train.length || !has(train, at, first)) return false
  if (link === 'without') return !has(train, at, second)
  const partner = partnerOf(train, at, rule)
  if (partner === null) return true
  if (partner === -1 || partner >= train.length || !has(train, partner, second)) return false
  return !isComparison(link) || compares(train, at, link)
}
