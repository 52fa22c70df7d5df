import type { Estimate } from '../../../../core/index.ts'
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

/** Sums of a quantity over the entries that share a key. */
interface Tally {
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

interface MeanAndSem {
  readonly mean: number
  /** null for a single value. */
  readonly sem: number | null
  readonly n: number
}

/** Mean and sd / sqrt(n); null for no values. */
export const meanAndSem = (values: readonly number[]): MeanAndSem | null =>
  values.length === 0 ? null : { mean: mean(values), sem: standardError(values), n: values.length }

/** Class and length as one number, for the cells of Table 1. */
export const cellOf = (data: Responses, entry: number): number =>
  2 * (data.length[entry] as number) + (data.label[entry] as number)

/** Mean over the classes present of the mean correctness of each. */
export function balanced(data: Responses, entries: Iterable<number>): number | null {
  const byClass = tally(
    entries,
    (k) => data.label[k],
    (k) => data.correct[k] as number,
  )
  return byClass.size === 0 ? null : mean(means(byClass.values()))
}

/** Mean correctness of some entries; null of none. */
export function plain(data: Responses, entries: Iterable<number>): number | null {
  const all = tally(
    entries,
    () => 0,
    (k) => data.correct[k] as number,
  ).get(0)
  return all === undefined ? null : all.sum / all.n
}

/** Mean correctness with an interval clustered by grammar. */
export const clusteredAccuracy = (data: Responses, entries: Int32Array): Estimate | null =>
  clusteredShare(take(data.correct, entries), new Int32Array(take(data.grammar, entries)))

/** Entries by grammar, in order of first appearance. */
export const byGrammar = (data: Responses, entries: Int32Array): ReadonlyMap<number, Int32Array> =>
  groups(entries, data.grammar)

/** Entries by length, shortest first. */
export const byLength = (data: Responses, entries: Int32Array): readonly (readonly [number, Int32Array])[] =>
  [...groups(entries, data.length)].sort(([a], [b]) => a - b)

function groups(entries: Int32Array, codes: Int32Array): Map<number, Int32Array> {
  const { of, count } = clustering(take(codes, entries))
  const places = rowsByLevel(allRows(entries), of, count)
  return new Map(
    places.map((inside) => {
      const mine = inside.map((i) => entries[i] as number)
      return [codes[mine[0] as number] as number, mine]
    }),
  )
}
