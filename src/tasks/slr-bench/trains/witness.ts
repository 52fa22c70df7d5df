import { isArray, type Json } from '../../../core/json.ts'
import { fullOnly, optionalStep, type SolutionStep } from '../../../core/solution.ts'
import type { Problem } from '../../../core/task.ts'
import { mark, oracle } from './oracle.ts'
import { answerBlock } from './prompt.ts'
import { type Answer, carName, EAST, type Given, type Shared, trainName, WEST } from './question.ts'
import { decides, type TargetRule, targetRuleOf } from './target-rule.ts'

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

const words = (said: TargetRule['first']): string => said.map(([, value]) => value).join(' and ')

/** For each train the deciding car, or none (omitted in short); then the rule. */
export function solution({ given, answer }: Problem<Shared, Given, Answer>): readonly SolutionStep[] {
  const planted = given.kind === 'trains' ? targetRuleOf(answer) : null
  if (given.kind === 'published' || planted === null) return [`Rule: ${answer}`, answerBlock(answer)]
  const { first, second } = planted
  const lines = given.trains.map((train, i) => {
    const name = trainName(i)
    const at = train.findIndex((_, car) => decides(train, car, planted))
    const behind = (car: string): string => (second.length === 0 ? '' : `, and ${car} behind it is ${words(second)}`)
    return at === -1
      ? fullOnly(`${name} is ${WEST}: no car is ${words(first)}${behind('the one')}.`)
      : optionalStep(`${name} is ${EAST}: ${carName(name, at)} is ${words(first)}${behind(carName(name, at + 1))}.`)
  })
  return [...lines, `Rule: ${answer}`, answerBlock(answer)]
}
