import type { CheckedStep, CheckedSteps } from '../../../core/checked-steps.ts'
import { isArray, type Json } from '../../../core/json.ts'
import { fullOnly, optionalStep, type SolutionStep } from '../../../core/solution.ts'
import type { Problem } from '../../../core/task.ts'
import { mark, oracle } from './oracle.ts'
import { answerBlock } from './prompt.ts'
import {
  type Answer,
  type Comparison,
  carName,
  EAST,
  type Given,
  type Shared,
  type Trains,
  trainName,
  valueName,
  WEST,
} from './question.ts'
import { decides, type Property, partnerOf, properties, type Rule, rulesOfAnyForm } from './rule.ts'
import { targetRuleOf } from './target-rule.ts'

type P = Problem<Shared, Given, Answer>

/** Of every train the first car that decides, from 0; -1: none does. Of a published record what is found of each of its trains. */
export function witness({ given, answer }: P): Json {
  if (given.kind === 'published') return [...mark(given, answer).judged]
  const planted = targetRuleOf(answer)
  return planted === null ? null : given.trains.map((train) => train.findIndex((_, at) => decides(train, at, planted)))
}

/** Checks every car of every train again. */
export function check({ shared, given, answer }: P, proof: Json): boolean {
  if (!isArray(proof)) return false
  if (given.kind === 'published') return oracle({ shared, given }, answer)
  const planted = targetRuleOf(answer)
  if (planted === null || proof.length !== given.trains.length) return false
  return given.trains.every((train, i) => {
    const at = proof[i]
    return given.east[i] === true
      ? typeof at === 'number' && decides(train, at, planted)
      : at === -1 && train.every((_, car) => !decides(train, car, planted))
  })
}

const words = (said: readonly Property[]): string => said.map((one) => valueName(...one)).join(' and ')

const comparisonWords: { readonly [link in Comparison]: string } = {
  fewer: 'has fewer wheels than',
  more: 'has more wheels than',
  same: 'has as many wheels as',
  many: 'has at least seven wheels together with',
  few: 'has at most five wheels together with',
}

/** What a rule says of a car and of the other that it reads. */
function describe({ first, second, link }: Rule, car: string, other: string): string {
  if (link === 'next')
    return `${car} is ${words(first)}${second.length === 0 ? '' : `, and ${other} behind it is ${words(second)}`}`
  if (link === 'without') return `${car} is ${words(first)} and not ${words(second)}`
  if (link === 'later') return `${car} is ${words(first)}, and ${other} further back is ${words(second)}`
  const own = first.length === 0 ? car : `${car} is ${words(first)} and`
  return `${own} ${comparisonWords[link]} ${other} behind it${second.length === 0 ? '' : `, which is ${words(second)}`}`
}

let described: ReadonlyMap<string, Rule> | undefined

/** For each train the deciding car, or none (omitted in short); then the rule. */
export function solution({ given, answer }: Problem<Shared, Given, Answer>): readonly SolutionStep[] {
  const planted = given.kind === 'trains' ? targetRuleOf(answer) : null
  if (given.kind === 'published' || planted === null) return [`Rule: ${answer}`, answerBlock(answer)]
  const lines = given.trains.map((train, i) => {
    const name = trainName(i)
    const at = train.findIndex((_, car) => decides(train, car, planted))
    if (at === -1) return fullOnly(`${name} is ${WEST}: ${describe(planted, 'no car', 'the one')}.`)
    const partner = carName(name, partnerOf(train, at, planted) ?? at)
    return optionalStep(`${name} is ${EAST}: ${describe(planted, carName(name, at), partner)}.`)
  })
  return [...lines, `Rule: ${answer}`, answerBlock(answer)]
}

const propertyOf = new Map(properties.map((one) => [valueName(...one), one]))
const LINE = /^(train\d{1,3}) is (eastbound|westbound): ([^\n]{1,200})\.$|^Rule: ([^\n]{1,400})$/gmu
const CARS =
  /^(no car|train\d{1,3}_car\d{1,2}) is ([a-z]{1,20}(?: and [a-z]{1,20}){0,4})(?:, and (the one|train\d{1,3}_car\d{1,2}) behind it is ([a-z]{1,20}(?: and [a-z]{1,20}){0,4}))?$/u
/** Rules that are read in one text; more of them do not hold. */
const MAX_RULES = 64

/**
 * The statements of a worked solution about trains, looked up, and its rule, tried on all of them. Linear in the text.
 */
export function checkSteps(given: Given, text: string): CheckedSteps {
  if (given.kind === 'published') return { steps: [], unknown: [] }
  const numbers = new Map(given.trains.map((_, i) => [trainName(i), i]))
  const unknown: string[] = []
  let rules = 0
  const steps = [...text.matchAll(LINE)].flatMap((match): CheckedStep[] => {
    const span = [match.index, match.index + match[0].length] as const
    const [, name = '', way = '', cars = '', rule] = match
    if (rule !== undefined) {
      const holds = rules++ < MAX_RULES && fitsAll(given, targetRuleOf(rule))
      return [{ span, holds, decides: holds ? answerBlock(rule) : null }]
    }
    const number = numbers.get(name)
    if (number === undefined) unknown.push(name)
    if (number === undefined) return []
    const unknownWords = propertyWords(cars).filter((word) => !propertyOf.has(word))
    unknown.push(...unknownWords)
    const holds =
      unknownWords.length === 0 &&
      (holdsOf(given, number, way === EAST, cars) || holdsOfAnyForm(given, number, way === EAST, cars))
    return [{ span, holds, decides: null }]
  })
  return { steps, unknown }
}

const fitsAll = ({ trains, east }: Trains, planted: Rule | null): boolean =>
  planted !== null && trains.every((train, i) => train.some((_, at) => decides(train, at, planted)) === east[i])

/** Properties in the text of a line. */
const propertyWords = (cars: string): readonly string[] => {
  const [, , first = '', , second] = CARS.exec(cars) ?? []
  return [first, second].flatMap((words) => (words ?? '').split(' and ')).filter((word) => word !== '')
}

const propertiesIn = (words: string | undefined): readonly Property[] =>
  (words ?? '').split(' and ').flatMap((value) => {
    const property = propertyOf.get(value)
    return property === undefined ? [] : [property]
  })

function holdsOf({ trains, east }: Trains, number: number, eastbound: boolean, cars: string): boolean {
  const train = trains[number]
  const match = CARS.exec(cars)
  if (train === undefined || match === null || east[number] !== eastbound) return false
  const [, who, first, next, second] = match
  const planted: Rule = { first: propertiesIn(first), second: propertiesIn(second), link: 'next' }
  const name = trainName(number)
  if (who === 'no car')
    return !eastbound && (next ?? 'the one') === 'the one' && train.every((_, at) => !decides(train, at, planted))
  const at = train.findIndex((_, car) => carName(name, car) === who)
  return (
    eastbound && at !== -1 && (next ?? carName(name, at + 1)) === carName(name, at + 1) && decides(train, at, planted)
  )
}

const CAR = /no car|the one|train\d{1,3}_car\d{1,2}/gu

/** The same of a line about a rule with negation, recursion or numbers. */
function holdsOfAnyForm({ trains, east, anyForm }: Trains, number: number, eastbound: boolean, cars: string): boolean {
  const train = trains[number]
  if (train === undefined || anyForm !== true || east[number] !== eastbound) return false
  described ??= new Map(rulesOfAnyForm().map((rule) => [describe(rule, '@', '@'), rule]))
  const rule = described.get(cars.replaceAll(CAR, '@'))
  const [who, other] = cars.match(CAR) ?? []
  if (rule === undefined) return false
  if (who === 'no car')
    return !eastbound && (other ?? 'the one') === 'the one' && train.every((_, at) => !decides(train, at, rule))
  const name = trainName(number)
  const at = train.findIndex((_, car) => carName(name, car) === who)
  const partner = partnerOf(train, at, rule)
  return eastbound && decides(train, at, rule) && (partner === null || carName(name, partner) === other)
}
