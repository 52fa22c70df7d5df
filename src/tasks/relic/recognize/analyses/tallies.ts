import type { Estimate, Figure, Mark, Table } from '../../../../core/index.ts'
import { figure } from '../../../../core/index.ts'
import {
  allRows,
  clusteredShare,
  clustering,
  mean,
  rowsByLevel,
  standardError,
  take,
} from '../../../../libraries/statistics/index.ts'
import type { Responses } from './responses.ts'

/** The paper that these tables and figures are named after. */
export const PAPER = 'RELIC: Evaluating Compositional Instruction Following via Language Recognition'

/** Count and sum over the entries that share a key. */
export interface Tally {
  n: number
  sum: number
}

export function tally<K>(
  entries: Iterable<number>,
  key: (entry: number) => K,
  value: (entry: number) => number,
): Map<K, Tally> {
  const found = new Map<K, Tally>()
  for (const entry of entries) {
    const at = key(entry)
    const known = found.get(at)
    if (known === undefined) found.set(at, { n: 1, sum: value(entry) })
    else {
      known.n++
      known.sum += value(entry)
    }
  }
  return found
}

export const means = (tallies: Iterable<Tally>): number[] => Array.from(tallies, ({ n, sum }) => sum / n)

/** Mean and sd / sqrt(n), which is null for a single value; null for no values. */
export const meanAndSem = (values: readonly number[]) =>
  values.length === 0 ? null : { mean: mean(values), sem: standardError(values), n: values.length }

/** Class and length as one number, for the cells of Table 1. */
export const cellOf = (data: Responses, entry: number): number =>
  2 * (data.length[entry] as number) + (data.label[entry] as number)

/** A quantity of some responses; null where they do not have it. */
export type Measure = (data: Responses, entries: Int32Array) => number | null

/** Mean over the classes present of the mean correctness of each. */
export const balanced: Measure = (data, entries) => {
  const byClass = tally(
    entries,
    (k) => data.label[k],
    (k) => data.correct[k] as number,
  )
  return byClass.size === 0 ? null : mean(means(byClass.values()))
}

/** Mean correctness. */
export const plain: Measure = (data, entries) => (entries.length === 0 ? null : mean(take(data.correct, entries)))

/** Mean correctness with an interval clustered by grammar. */
export const clusteredAccuracy = (data: Responses, entries: Int32Array): Estimate | null =>
  clusteredShare(take(data.correct, entries), new Int32Array(take(data.grammar, entries)))

/** A fitted share, which a line can take out of 0 to 1. */
export const inShare = (fitted: number): number => Math.min(1, Math.max(0, fitted))

/** Entries by grammar, in order of first appearance. */
export const byGrammar = (data: Responses, entries: Int32Array): ReadonlyMap<number, Int32Array> =>
  groups(entries, data.grammar)

/** Entries by length, shortest first. */
export const byLength = (data: Responses, entries: Int32Array): readonly (readonly [number, Int32Array])[] =>
  [...groups(entries, data.length)].sort(([a], [b]) => a - b)

function groups(entries: Int32Array, codes: Int32Array): Map<number, Int32Array> {
  const { of, count } = clustering(take(codes, entries))
  return new Map(
    rowsByLevel(allRows(entries), of, count).map((inside) => {
      const own = inside.map((i) => entries[i] as number)
      return [codes[own[0] as number] as number, own]
    }),
  )
}

/** A figure over the length of the string, one panel per model. */
export const overLength = (over: Table, id: string, title: string, y: string, marks: readonly Mark[]): Figure =>
  figure(over, { id, title, x: 'length', y, facet: 'model', marks })
