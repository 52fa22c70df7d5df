import type { Train } from '../../../src/tasks/slr-bench/trains/question.ts'
import { holds, type Property, type Rule, rulesUpTo, sizeOf } from '../../../src/tasks/slr-bench/trains/rule.ts'

/** Readers of the shown trains that never see which way one goes: each names the properties that it takes the rule to read. */

export const keyOf = (properties: readonly Property[]): string =>
  [...new Set(properties.map((property) => property.join('=')))].sort().join(' ')

export const readOf = (rule: Rule): string => keyOf([...rule.first, ...rule.second])

const columns = (train: Train): readonly (readonly number[])[] =>
  (train[0] ?? []).map((_, at) => train.map((car) => car[at] as number))

const countsOf = (train: Train): string =>
  JSON.stringify(columns(train).map((column) => column.toSorted((a, b) => a - b)))

const pairsBy = (
  trains: readonly Train[],
  alike: (a: Train, b: Train) => boolean,
): readonly (readonly [Train, Train])[] =>
  trains.flatMap((a, i) => trains.slice(i + 1).flatMap((b) => (alike(a, b) ? [[a, b] as const] : [])))

const valuesIn = (train: Train): Set<string> =>
  new Set(train.flatMap((car) => car.map((value, at) => `${at}=${value}`)))

/** The values that change places in most of the pairs of trains that differ in two places of one attribute. */
export function nearPairs(trains: readonly Train[], size: number): string {
  const votes = new Map<string, number>()
  const near = pairsBy(trains, (a, b) => {
    const changed = columns(a).map((column, at) => column.filter((value, i) => value !== columns(b)[at]?.[i]).length)
    return changed.filter((one) => one > 0).length === 1 && Math.max(...changed) <= 2
  })
  for (const [a, b] of near)
    for (const value of new Set(
      a.flatMap((car, i) =>
        car.flatMap((one, at) => (one === b[i]?.[at] ? [] : [`${at}=${one}`, `${at}=${b[i]?.[at]}`])),
      ),
    ))
      votes.set(value, (votes.get(value) ?? 0) + 1)
  return top(votes, size)
}

/** The values that are in most trains. */
export function everywhere(trains: readonly Train[], size: number): string {
  const votes = new Map<string, number>()
  for (const train of trains) for (const value of valuesIn(train)) votes.set(value, (votes.get(value) ?? 0) + 1)
  return top(votes, size)
}

const top = (votes: ReadonlyMap<string, number>, size: number): string =>
  [...votes]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, size)
    .map(([value]) => value)
    .sort()
    .join(' ')

/** How many pairs of trains a rule splits. */
export const splitOf = (rule: Rule, pairs: readonly (readonly [Train, Train])[]): number =>
  pairs.filter(([a, b]) => holds(rule, a) !== holds(rule, b)).length

export const equalPairs = (trains: readonly Train[]) => pairsBy(trains, (a, b) => countsOf(a) === countsOf(b))

/** The rules of a form and size whose values all trains have. */
export const candidates = (trains: readonly Train[], like: Rule): readonly Rule[] => {
  const values = trains.map(valuesIn)
  return rulesUpTo(sizeOf(like)).filter(
    (rule) =>
      sizeOf(rule) === sizeOf(like) &&
      (rule.second.length === 0) === (like.second.length === 0) &&
      (sizeOf(like) === 1 ||
        [...rule.first, ...rule.second].every(([at, value]) => values.every((own) => own.has(`${at}=${value}`)))),
  )
}

/** The rule for which this is highest. */
export function bestBy<R>(rules: readonly R[], score: (rule: R) => number): R | undefined {
  let found: R | undefined
  let most = Number.NEGATIVE_INFINITY
  for (const rule of rules) {
    const value = score(rule)
    if (value > most) [found, most] = [rule, value]
  }
  return found
}
