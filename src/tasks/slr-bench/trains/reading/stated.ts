import type { CheckedStep, CheckedSteps } from '../../../../core/checked-steps.ts'
import { carName, trainName } from '../facts.ts'
import { answerBlock } from '../prompt.ts'
import { attributeNames, attributes, EAST, type Given, type Trains } from '../question.ts'
import { decides, type Planted, plantedOf } from '../truth/planted.ts'

const attributeOf = new Map(
  attributeNames.flatMap((name) => attributes[name].map((value): readonly [string, string] => [value, name])),
)
const LINE = /^(train\d{1,3}) is (eastbound|westbound): ([^\n]{1,200})\.$|^Rule: ([^\n]{1,400})$/gmu
const CARS =
  /^(no car|train\d{1,3}_car\d{1,2}) is ([a-z]{1,20}(?: and [a-z]{1,20}){0,4})(?:, and (the one|train\d{1,3}_car\d{1,2}) behind it is ([a-z]{1,20}(?: and [a-z]{1,20}){0,4}))?$/u
/** Rules that are read in one text; more of them do not hold. */
const MAX_RULES = 64

/** What a worked solution says of each train, looked up, and its rule, tried on all of them. Linear in the text. */
export function stated(given: Given, text: string): CheckedSteps {
  if (given.kind === 'published') return { steps: [], unknown: [] }
  const numbers = new Map(given.trains.map((_, i) => [trainName(i), i]))
  const unknown: string[] = []
  let rules = 0
  const steps = [...text.matchAll(LINE)].flatMap((match): CheckedStep[] => {
    const span = [match.index, match.index + match[0].length] as const
    const [, name = '', way = '', cars = '', rule] = match
    if (rule !== undefined) {
      const holds = rules++ < MAX_RULES && fitsAll(given, plantedOf(rule))
      return [{ span, holds, decides: holds ? answerBlock(rule) : null }]
    }
    const number = numbers.get(name)
    if (number === undefined) unknown.push(name)
    if (number === undefined) return []
    const strangers = saidWords(cars).filter((word) => !attributeOf.has(word))
    unknown.push(...strangers)
    const holds = strangers.length === 0 && holdsOf(given, number, way === EAST, cars)
    return [{ span, holds, decides: null }]
  })
  return { steps, unknown }
}

const fitsAll = ({ trains, east }: Trains, planted: Planted | null): boolean =>
  planted !== null && trains.every((train, i) => train.some((_, at) => decides(train, at, planted)) === east[i])

/** What cars are said to be. */
const saidWords = (cars: string): readonly string[] => {
  const [, , first = '', , second] = CARS.exec(cars) ?? []
  return [first, second].flatMap((words) => (words ?? '').split(' and ')).filter((word) => word !== '')
}

const saidOf = (words: string | undefined): Planted['first'] =>
  (words ?? '')
    .split(' and ')
    .flatMap((value) => (value === '' ? [] : [[attributeOf.get(value) ?? '', value] as const]))

function holdsOf({ trains, east }: Trains, number: number, eastbound: boolean, cars: string): boolean {
  const train = trains[number]
  const match = CARS.exec(cars)
  if (train === undefined || match === null || east[number] !== eastbound) return false
  const [, who, first, next, second] = match
  const planted: Planted = { first: saidOf(first), second: saidOf(second) }
  const name = trainName(number)
  if (who === 'no car')
    return !eastbound && (next ?? 'the one') === 'the one' && train.every((_, at) => !decides(train, at, planted))
  const at = train.findIndex((_, car) => carName(name, car) === who)
  return (
    eastbound && at !== -1 && (next ?? carName(name, at + 1)) === carName(name, at + 1) && decides(train, at, planted)
  )
}
