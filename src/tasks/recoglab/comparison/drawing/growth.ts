import { below, coin, shuffle } from '../../../../core/random.ts'
import type { Stream } from '../../../../core/streams.ts'
import type { Statement } from '../question.ts'

/** Statements that grow one by one: people are numbered as they come. */
export interface Growth {
  people: number
  readonly statements: Statement[]
}

/** One more person, of whom nothing is said yet. */
export const someone = (growth: Growth): number => growth.people++

export function say(growth: Growth, lesser: number, greater: number): void {
  growth.statements.push([lesser, greater])
}

/** New people, each less than the next. */
export function upwards(growth: Growth, length: number): readonly number[] {
  const people = Array.from({ length }, () => someone(growth))
  for (let i = 1; i < length; i++) say(growth, people[i - 1] as number, people[i] as number)
  return people
}

/** New people in between, so that `steps` statements lead from one to the other: true where the next one is the greater. */
export function lead(growth: Growth, from: number, to: number, steps: readonly boolean[]): void {
  let last = from
  steps.forEach((up, i) => {
    const next = i === steps.length - 1 ? to : someone(growth)
    if (up) say(growth, last, next)
    else say(growth, next, last)
    last = next
  })
}

/** Gives people of whom less is said than of the others new ones above and below, until all stand in as many statements of either kind. */
export function level(growth: Growth, people: readonly number[]): void {
  for (const side of [0, 1] as const) {
    const counts = people.map((v) => growth.statements.filter((statement) => statement[side] === v).length)
    const most = Math.max(...counts)
    people.forEach((v, i) => {
      for (let k = counts[i] as number; k < most; k++) {
        if (side === 0) say(growth, v, someone(growth))
        else say(growth, someone(growth), v)
      }
    })
  }
}

/** New people, each beside a random one who is not `closed`, until there are n. */
export function fill(growth: Growth, n: number, closed: ReadonlySet<number>, stream: Stream): void {
  const open = Array.from({ length: growth.people }, (_, v) => v).filter((v) => !closed.has(v))
  while (growth.people < n) {
    const beside = open[below(stream, open.length)] as number
    const next = someone(growth)
    if (coin(stream)) say(growth, beside, next)
    else say(growth, next, beside)
    open.push(next)
  }
}

/** Numbers that say nothing of how the statements came about: what each person is called from now on. */
export const renumbered = (growth: Growth, stream: Stream): readonly number[] =>
  shuffle(
    stream,
    Array.from({ length: growth.people }, (_, v) => v),
  )
