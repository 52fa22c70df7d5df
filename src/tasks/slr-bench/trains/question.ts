/** What is said of a car, with the values it may have. */
export const attributes = {
  colour: ['red', 'blue', 'green', 'yellow'],
  size: ['short', 'long'],
  roof: ['flat', 'arched', 'open'],
  wheels: ['two', 'three'],
  load: ['coal', 'milk', 'timber', 'grain'],
} as const
export type Attribute = keyof typeof attributes
export const attributeNames = Object.keys(attributes) as readonly Attribute[]

/** Numbers of values, in the order of {@link attributeNames}. */
export type Car = readonly number[]
/** From front to back. */
export type Train = readonly Car[]

/** A generated question. */
export type Trains = {
  readonly kind: 'trains'
  readonly trains: readonly Train[]
  /** Is it eastbound? */
  readonly east: readonly boolean[]
  /** Never shown: what a rule says of them is compared with what the truth says. */
  readonly hidden: readonly Train[]
  /** How many goals the body of an answer may have. */
  readonly goals: number
}

/** A published question: its prompt, and the program that its file judges answers by (never shown). */
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
export const asked = (given: Given): string => (given.kind === 'trains' ? EAST : given.positive)

export const valueName = (attribute: number, value: number): string =>
  attributes[attributeNames[attribute] as Attribute][value] as string
