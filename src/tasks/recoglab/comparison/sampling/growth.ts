import { below, coin, shuffle } from '../../../../core/random.ts'
import type { Stream } from '../../../../core/streams.ts'
import type { Statement } from '../question.ts'

/** Statements that grow one by one: people are numbered as they come. */
export interface Growth {
  people: number
  readonly statements: Statement[]
}

/** One more person, without statements. */
export const newEntity = (growth: Growth): number => growth.people++

export function addStatement(growth: Growth, lesser: number, greater: number): void {
  growth.statements.push([lesser, greater])
}

/** New people, each less than the next. */
export function upwards(growth: Growth, length: number): readonly number[] {
  const people = Array.from({ length }, () => newEntity(growth))
  for (let i = 1; i < length; i++) addStatement(growth, people[i - 1] as number, people[i] as number)
  return people
}

/** New people in between, so that `steps` statements lead from `from` to `to`; true: the next one is the greater. */
export function addPath(growth: Growth, from: number, to: number, steps: readonly boolean[]): void {
  let last = from
  steps.forEach((up, i) => {
    const next = i === steps.length - 1 ? to : newEntity(growth)
    if (up) addStatement(growth, last, next)
    else addStatement(growth, next, last)
    last = next
  })
}

/** Adds new people above and below, until all of `people` occur equally often on either side of statements. */
export function level(growth: Growth, people: readonly number[]): void {
  for (const side of [0, 1] as const) {
    const counts = people.map((v) => growth.statements.filter((statement) => statement[side] === v).length)
    const most = Math.max(...counts)
    people.forEach((v, i) => {
      for (let k = counts[i] as number; k < most; k++) {
        if (side === 0) addStatement(growth, v, newEntity(growth))
        else addStatement(growth, newEntity(growth), v)
      }
    })
  }
}

/** New people, each beside a random open one, until there are n. */
export function fillToSize(growth: Growth, n: number, closed: ReadonlySet<number>, stream: Stream): void {
  const open = Array.from({ length: growth.people }, (_, v) => v).filter((v) => !closed.has(v))
  while (growth.people < n) {
    const beside = open[below(stream, open.length)] as number
    const next = newEntity(growth)
    if (coin(stream)) addStatement(growth, beside, next)
    else addStatement(growth, next, beside)
    open.push(next)
  }
}

/** A random renumbering, so that numbers reveal nothing about the construction. */
export const renumbered = (growth: Growth, stream: Stream): readonly number[] =>
  shuffle(
    stream,
    Array.from({ length: growth.people }, (_, v) => v),
  )

/**
 * Random steps up (true) and down, so that the path they belong to goes both up and down.
 *
 * @param outside the rest of the path: all up (true), all down (false), both (null), or no rest ('any')
 */
export function mixedSteps(stream: Stream, length: number, outside: boolean | null | 'any'): readonly boolean[] {
  for (;;) {
    const steps = Array.from({ length }, () => coin(stream))
    const kinds = new Set(outside === 'any' ? steps : outside === null ? [true, false] : [outside, ...steps])
    if (kinds.size === 2) return steps
  }
}
