import { hash } from 'node:crypto'
import { UsageError } from '../../core/index.ts'
import type { StoredItem } from '../../store/index.ts'
import type { Subsample } from './experiment.ts'
import type { RunSource } from './resolve.ts'

/** Part `index` (from 0) of `of` parts of a run, each run by its own process or machine. */
export interface RunShard {
  readonly index: number
  readonly of: number
}

/** Items in a row that stay in one shard, so that calls with a shared context mostly do, too. */
const MAX_TOGETHER = 64
/** Fewest blocks per shard, if there are enough items: then shards have similar sizes. */
const BLOCKS = 8

/** @throws UsageError for a part that does not exist */
export function checkShard({ index, of }: RunShard, indices: number): void {
  if (!(Number.isInteger(index) && Number.isInteger(of) && index >= 0 && index < of))
    throw new UsageError(`--shard is part i of n with 0 <= i < n, got ${index}/${of}`)
  if (of > indices) throw new UsageError(`${of} shards of ${indices} indices leave some empty; use at most ${indices}`)
}

/**
 * Does an item belong to a shard? Depends on its position among all items and on the number of shards alone, so that all
 * processes agree.
 */
export function inShard(shard: RunShard | undefined, ord: number, indices: number): boolean {
  if (shard === undefined) return true
  const together = Math.max(1, Math.min(MAX_TOGETHER, Math.floor(indices / (shard.of * BLOCKS))))
  return Math.floor(ord / together) % shard.of === shard.index
}

/** All indices of a run, empty ones and other shards included. */
export const indicesOf = ({ sources }: { readonly sources: readonly RunSource[] }): number =>
  sources.reduce((sum, source) => sum + (source.kind === 'generated' ? source.count : 0), 0)

/** 48 pseudo-random bits of a key: the same on every machine. */
export const hash48 = (...parts: readonly (string | number)[]): number =>
  Number.parseInt(hash('sha256', JSON.stringify(parts), 'hex').slice(0, 12), 16)

const BITS_24 = 2 ** 24

/**
 * Priority of a call. Calls are shuffled by a key, so that a run that is stopped anywhere has made a fair part of them. Those of
 * a model that reuses its last context stay together by group, the groups shuffled, and within a group by shared context if
 * that is known.
 */
export function callPriority(
  seed: string,
  call: { readonly group: string; readonly ord: number; readonly rest: string; readonly context: string | null },
  byGroup: boolean,
): number {
  if (!byGroup) return hash48('turn', seed, call.ord, call.rest)
  const within = call.context === null ? call.ord % BITS_24 : high(hash48('context', call.context))
  return high(hash48('turn', seed, call.group)) * BITS_24 + within
}

const high = (bits: number): number => Math.floor(bits / BITS_24)

/** Samples items for one model from a stream of items. */
export interface ItemSampler {
  /** Offers the next item; true: it is sampled at once. */
  offer(item: StoredItem): boolean
  /** Items that could be sampled only after all were seen. */
  rest(): Iterable<StoredItem['id']>
}

const RANGE = 2 ** 48

/**
 * Seeded and nested: each item has one rank for the whole run, whatever the model, and a smaller sample is always part of
 * a larger one, so that models are compared on shared items. Memory: the ids of the sampled items for `perStratum`,
 * nothing for `fraction`.
 *
 * @param byGroup - strata are counted inside each group: if groups come one after another.
 * @param twins - items per contrast set, 1 if there are none: a set has one rank, so it is sampled as a whole.
 */
export function itemSampler(subsample: Subsample | null, seed: string, byGroup: boolean, twins: number): ItemSampler {
  if (subsample === null) return { offer: () => true, rest: () => [] }
  const rank = (item: StoredItem): number => hash48('subsample', seed, twins === 1 ? item.id : idOfFirst(item, twins))
  if ('fraction' in subsample) return { offer: (item) => rank(item) < subsample.fraction * RANGE, rest: () => [] }
  const strata = new Map<string, { readonly rank: number; readonly id: string }[]>()
  return {
    offer(item) {
      const key = `${byGroup ? item.group : item.source}/${item.stratum}`
      const kept = strata.get(key) ?? []
      strata.set(key, kept)
      kept.push({ rank: rank(item), id: item.id })
      kept.sort((a, b) => a.rank - b.rank)
      if (kept.length > subsample.perStratum) kept.pop()
      return false
    },
    *rest() {
      for (const kept of strata.values()) for (const { id } of kept) yield id
    },
  }
}

/** The id of the first item of an item's set: an id ends in the index. */
const idOfFirst = ({ id, index }: StoredItem, twins: number): string =>
  `${id.slice(0, id.length - String(index).length)}${index - (index % twins)}`

/** At most `most` (2 or more) of the positions 0..count-1, evenly from the first to the last. */
export function evenlySpaced(count: number, most: number): readonly number[] {
  if (count <= most) return Array.from({ length: count }, (_, place) => place)
  return Array.from({ length: most }, (_, k) => Math.round((k * (count - 1)) / (most - 1)))
}
