import { canonicalJson } from '../../../core/canonical-json.ts'
import { sha256Hex } from '../../../core/hash.ts'

/** Attributes of a car, with their values: as many of each, so that none is likelier in a rule. */
export const attributes = {
  colour: ['red', 'blue', 'green'],
  size: ['short', 'medium', 'long'],
  roof: ['flat', 'arched', 'open'],
  wheels: ['two', 'three', 'four'],
  load: ['coal', 'milk', 'timber'],
} as const
type Attribute = keyof typeof attributes
export const attributeNames = Object.keys(attributes) as readonly Attribute[]

/** The attribute that has numbers, and the first of these. */
export const WHEELS = attributeNames.indexOf('wheels')
export const MIN_WHEELS = 2

/** How the wheels of a car and of the one right behind it compare. */
export const comparisons = {
  fewer: { text: 'M < N', holds: (m: number, n: number) => m < n },
  more: { text: 'M > N', holds: (m: number, n: number) => m > n },
  same: { text: 'M =:= N', holds: (m: number, n: number) => m === n },
  many: { text: 'M + N >= 7', holds: (m: number, n: number) => m + n >= 7 },
  few: { text: 'M + N =< 5', holds: (m: number, n: number) => m + n <= 5 },
} as const
export type Comparison = keyof typeof comparisons
export const comparisonNames = Object.keys(comparisons) as readonly Comparison[]

/** Numbers of values, in the order of {@link attributeNames}. */
type Car = readonly number[]
/** From front to back. */
export type Train = readonly Car[]

/** A generated question. */
export type Trains = {
  readonly kind: 'trains'
  readonly trains: readonly Train[]
  /** Is it eastbound? */
  readonly east: readonly boolean[]
  /** Held out: the predictions of a rule on them are compared with the target's. */
  readonly hidden: readonly Train[]
  /** How many goals an answer may have. */
  readonly goals: number
  /** Rules of all forms come into question: see {@link forms}. Else those of cars and of coupled cars. */
  readonly anyForm?: true
}

/** A published question: its prompt, and the program that judges answers (not in the prompt). */
export type Published = {
  readonly kind: 'published'
  readonly prompt: string
  readonly program: string
  readonly positive: string
  readonly negative: string
}

export type Given = Trains | Published
export type Shared = null

export interface Question {
  readonly shared: Shared
  readonly given: Given
}

/** The text of a program. */
export type Answer = string

/** What an answer defines. */
export const EAST = 'eastbound'
export const WEST = 'westbound'
export const askedPredicate = (given: Given): string => (given.kind === 'trains' ? EAST : given.positive)

export const valueName = (attribute: number, value: number): string =>
  attributes[attributeNames[attribute] as Attribute][value] as string

/** Values of each attribute that shown trains have. */
export const usedValues = ({ trains }: Trains): readonly (readonly number[])[] =>
  attributeNames.map((name, at) =>
    attributes[name].flatMap((_, value) =>
      trains.some((cars) => cars.some((car) => car[at] === value)) ? [value] : [],
    ),
  )

/** Facts about a train, front to back. */
export function factsOf(train: Train, name: string): readonly string[] {
  const car = (i: number): string => carName(name, i)
  return train.flatMap((values, i) => [
    `has_car(${name}, ${car(i)}).`,
    ...values.map((value, attribute) => `${attributeNames[attribute]}(${car(i)}, ${valueName(attribute, value)}).`),
    ...(i + 1 < train.length ? [`front_of(${car(i)}, ${car(i + 1)}).`] : []),
  ])
}

/** Cars are numbered from the front. */
export const carName = (train: string, i: number): string => `${train}_car${i + 1}`

export const trainName = (i: number): string => `train${i + 1}`

/** The content of the prompt: direction and description of each train. */
export const shownFacts = ({ trains, east }: Trains): readonly string[] =>
  trains.map((train, i) =>
    [`${east[i] === true ? EAST : WEST}(${trainName(i)}).`, ...factsOf(train, trainName(i))].join('\n'),
  )

/** Facts about no train: the numbers that words stand for, where a rule may calculate. */
export const commonFacts = ({ anyForm }: Trains): readonly string[] =>
  anyForm === true ? attributes.wheels.map((word, i) => `amount(${word}, ${MIN_WHEELS + i}).`) : []

/** The content in any order, as 32 hex digits. */
export const partitionKey = (given: Given): string => sha256Hex(contentOf(given)).slice(0, 32)

/** Names and order are not content. */
export const contentOf = (given: Given): string =>
  given.kind === 'published'
    ? canonicalJson([given.prompt])
    : canonicalJson(given.trains.map((train, i) => canonicalJson([train, given.east[i] === true])).sort())
