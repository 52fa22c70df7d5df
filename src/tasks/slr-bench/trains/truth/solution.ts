import { fullOnly, optionalStep, type SolutionStep } from '../../../../core/solution.ts'
import type { Problem } from '../../../../core/task.ts'
import { carName, trainName } from '../facts.ts'
import { answerBlock } from '../prompt.ts'
import { type Answer, EAST, type Given, type Shared, WEST } from '../question.ts'
import { decides, type Planted, plantedOf } from './planted.ts'

const words = (said: Planted['first']): string => said.map(([, value]) => value).join(' and ')

/** Train by train the car that decides, or that there is none (left out in short); then the rule. */
export function solution({ given, answer }: Problem<Shared, Given, Answer>): readonly SolutionStep[] {
  const planted = given.kind === 'trains' ? plantedOf(answer) : null
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
