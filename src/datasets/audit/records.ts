import type { ShownRecords } from '../../core/index.ts'
import { boostedTrees } from '../../libraries/locality/boosted-trees.ts'
import { binned } from '../../libraries/locality/columns.ts'
import type { Feature } from './features.ts'
import { dealFolds } from './folds.ts'
import { allDecide, byItem, type Measured, overItems, Results, testFeature, testLearner } from './measure.ts'
import { blocksOf, numbered } from './statistic.ts'
import { type Subject, words } from './subject.ts'

/** A part that an answer may name, with what the records alone say of it. */
export interface RecordPart {
  readonly named: boolean
  readonly counts: { readonly [name: string]: number }
}

type Shown = ShownRecords['records'][number]

/** Counts of every part over the records, whose labels are not read. @param gold - the correct answer as text */
export function recordParts({ records, parts }: ShownRecords, gold: string): RecordPart[] {
  const named = new Set(words(gold))
  const pairs = pairsOf(records)
  const rowsWith = parts.map(({ field, value }) => records.map((record) => record.map((row) => row[field] === value)))
  return parts.map(({ field, value, part }, p): RecordPart => {
    const own = rowsWith[p] as readonly (readonly boolean[])[]
    const sizes = own.map((rows) => rows.filter(Boolean).length)
    const holders = sizes.filter((size) => size > 0).length
    const moved = (kind: (pair: Pair) => boolean): number =>
      pairs.filter((pair) => kind(pair) && pair.moved.has(`${field} ${value}`)).length
    return {
      named: named.has(part),
      counts: {
        holders,
        'in-all': holders === records.length ? 1 : 0,
        occurrences: sizes.reduce((sum, size) => sum + size, 0),
        'held-once': sizes.filter((size) => size === 1).length,
        'pairs-one-field': moved(({ fields }) => fields === 1),
        'pairs-equal-counts': moved(({ equal }) => equal),
        'pairs-nearest': moved(({ nearest }) => nearest),
        'pairs-split': mostSplit(own, rowsWith, pairs),
      },
    }
  })
}

interface Pair {
  readonly a: number
  readonly b: number
  /** Fields that differ in some row. */
  readonly fields: number
  /** Every value occurs as often in both. */
  readonly equal: boolean
  /** No two records of the prompt differ in fewer places. */
  readonly nearest: boolean
  /** Field and value of every place that differs. */
  readonly moved: ReadonlySet<string>
}

/** Pairs of different records with equally many rows. */
function pairsOf(records: readonly Shown[]): Pair[] {
  const counts = records.map(countsOf)
  const pairs: (Omit<Pair, 'nearest'> & { readonly places: number })[] = []
  for (const [a, one] of records.entries())
    for (let b = a + 1; b < records.length; b++) {
      const other = records[b] as Shown
      if (one.length !== other.length) continue
      const fields = new Set<number>()
      const moved = new Set<string>()
      let places = 0
      for (const [r, row] of one.entries())
        for (const [field, value] of row.entries()) {
          const second = other[r]?.[field]
          if (second === value) continue
          places++
          fields.add(field)
          moved.add(`${field} ${value}`).add(`${field} ${second}`)
        }
      if (places > 0) pairs.push({ a, b, fields: fields.size, equal: counts[a] === counts[b], moved, places })
    }
  const least = pairs.reduce((min, { places }) => Math.min(min, places), Number.POSITIVE_INFINITY)
  return pairs.map(({ places, ...pair }) => ({ ...pair, nearest: places === least }))
}

const countsOf = (record: Shown): string =>
  record
    .flatMap((row) => row.map((value, field) => `${field} ${value}`))
    .sort()
    .join()

/** Pairs of equal counts that "a row has both" or "the next row has the other" splits, for the best other part. */
function mostSplit(
  own: readonly (readonly boolean[])[],
  all: readonly (readonly (readonly boolean[])[])[],
  pairs: readonly Pair[],
): number {
  const equal = pairs.filter((pair) => pair.equal)
  if (equal.length === 0) return 0
  let most = 0
  for (const other of all)
    for (const offset of [0, 1, -1]) {
      const holds = own.map((rows, record) => rows.some((has, r) => has && other[record]?.[r + offset] === true))
      most = Math.max(most, equal.filter(({ a, b }) => holds[a] !== holds[b]).length)
    }
  return most
}

/** Do records of one prompt tell, their labels unread, which parts the answer names? Rows are parts, blocks are items. */
export function recordProbes(subjects: readonly Subject[], roleOf = allDecide): readonly Measured[] {
  const rows = subjects.flatMap((subject, item) =>
    (subject.parts ?? []).map((part) => ({ ...part, item, cluster: subject.cluster })),
  )
  if (rows.length === 0) return []
  const accepted = Uint8Array.from(rows, ({ named }) => (named ? 1 : 0))
  const blockOf = numbered(rows.map(({ item }) => item))
  const blocks = blocksOf(blockOf)
  const clusters = rows.map(({ cluster }) => cluster)
  const numberedClusters = numbered(clusters)
  const features: Feature[] = Object.keys(rows[0]?.counts ?? {}).map((name) => ({
    probe: `records/${name}`,
    values: Float64Array.from(rows, ({ counts }) => counts[name] as number),
  }))
  const shares = Map.groupBy(rows, ({ item }) => item)
  const spread = [...shares.values()].reduce((sum, own) => {
    const share = own.filter(({ named }) => named).length / own.length
    return sum + share * (1 - share)
  }, 0)
  const weights = { items: shares.size, spread }
  const results = new Results(roleOf, overItems)
  for (const { probe, values } of features)
    results.add(probe, () => testFeature(probe, values, accepted, blocks, numberedClusters, weights))
  const folds = dealFolds(clusters)
  const trees = boostedTrees('records/boosted-trees', binned(features, 32))
  if (folds.length > 1)
    results.add(trees.probe, () =>
      byItem(testLearner(trees, Int32Array.from(accepted), 2, folds, blockOf, numberedClusters, 'across')),
    )
  return results.measured
}
