import type { Json } from '../../../core/json.ts'
import type { Problem } from '../../../core/task.ts'
import { type Answer, attributeNames, EAST, type Given, type Shared, valueName, WEST } from './question.ts'

/** The rule, and every train with its cars from front to back. */
export function view({ given, answer }: Problem<Shared, Given, Answer>): readonly Json[] {
  if (given.kind === 'published') return [{ kind: 'text', text: answer, caption: 'the rule of the record' }]
  const cars = given.trains[0]?.length ?? 0
  return [
    { kind: 'text', text: answer, caption: 'the rule' },
    {
      kind: 'steps',
      title: 'Trains, front to back',
      steps: ['goes', ...Array.from({ length: cars }, (_, i) => `car ${i + 1}`)],
      rows: given.trains.map((train, i) => [
        given.east[i] === true ? EAST : WEST,
        ...train.map((car) => attributeNames.map((_, at) => valueName(at, car[at] as number)).join(' ')),
      ]),
    },
  ]
}
