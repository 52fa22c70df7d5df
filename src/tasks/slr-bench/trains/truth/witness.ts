import { isArray, type Json } from '../../../../core/json.ts'
import type { Problem } from '../../../../core/task.ts'
import type { Answer, Given, Shared } from '../question.ts'
import { mark, oracle } from './oracle.ts'
import { decides, plantedOf } from './planted.ts'

type P = Problem<Shared, Given, Answer>

/** Of every train the first car that decides, from 0; -1: none does. Of a published record what is found of each of its trains. */
export function witness({ given, answer }: P): Json {
  if (given.kind === 'published') return [...mark(given, answer).judged]
  const planted = plantedOf(answer)
  return planted === null ? null : given.trains.map((train) => train.findIndex((_, at) => decides(train, at, planted)))
}

/** Looks at every car of every train again. */
export function check({ shared, given, answer }: P, proof: Json): boolean {
  if (!isArray(proof)) return false
  if (given.kind === 'published') return oracle({ shared, given }, answer)
  const planted = plantedOf(answer)
  if (planted === null || proof.length !== given.trains.length) return false
  return given.trains.every((train, i) => {
    const at = proof[i]
    return given.east[i] === true
      ? typeof at === 'number' && decides(train, at, planted)
      : at === -1 && train.every((_, car) => !decides(train, car, planted))
  })
}
