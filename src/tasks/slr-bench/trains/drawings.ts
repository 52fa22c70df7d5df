import type { Json } from '../../../core/json.ts'
import type { Problem } from '../../../core/task.ts'
import {
  type Answer,
  attributeNames,
  carName,
  EAST,
  type Given,
  type Shared,
  type Train,
  trainName,
  valueName,
  WEST,
} from './question.ts'
import { decides, partnerOf } from './rule.ts'
import { targetRuleOf } from './target-rule.ts'

/** The rule, and every train with its cars from front to back: those that make it eastbound are marked. */
export function drawings({ given, answer }: Problem<Shared, Given, Answer>): readonly Json[] {
  if (given.kind === 'published') return [{ kind: 'text', text: answer, caption: 'the rule of the record' }]
  const cars = given.trains[0]?.length ?? 0
  return [
    { kind: 'text', text: answer, caption: 'the rule' },
    {
      kind: 'table',
      title: 'Trains, front to back',
      caption: `Marked: of each ${EAST} train the first car of which the rule holds, with the other that the rule reads.`,
      columns: ['train', 'goes', ...Array.from({ length: cars }, (_, i) => `car ${i + 1}`)],
      rows: given.trains.map((train, i) => [
        trainName(i),
        given.east[i] === true ? EAST : WEST,
        ...train.map((car) => attributeNames.map((_, at) => valueName(at, car[at] as number)).join(' ')),
      ]),
      marked: given.trains.flatMap((train, i) => deciding(train, answer).map((car) => [i, FIRST_CAR + car])),
      links: given.trains.flatMap((train, i) => [
        { text: trainName(i), parts: [`row/${i}`] },
        ...train.map((_, car) => ({ text: carName(trainName(i), car), parts: [`cell/${i}/${FIRST_CAR + car}`] })),
      ]),
    },
  ]
}

/** Columns before the cars. */
const FIRST_CAR = 2

function deciding(train: Train, answer: Answer): readonly number[] {
  const planted = targetRuleOf(answer)
  const car = planted === null ? -1 : train.findIndex((_, at) => decides(train, at, planted))
  if (planted === null || car === -1) return []
  return [car, partnerOf(train, car, planted)].filter((one) => one !== null)
}
