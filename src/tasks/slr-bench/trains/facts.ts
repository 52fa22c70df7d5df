import { attributeNames, EAST, type Train, type Trains, valueName, WEST } from './question.ts'

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

/** All that is shown: where each train goes, and what it is like. */
export const shownFacts = ({ trains, east }: Trains): readonly string[] =>
  trains.map((train, i) =>
    [`${east[i] === true ? EAST : WEST}(${trainName(i)}).`, ...factsOf(train, trainName(i))].join('\n'),
  )
