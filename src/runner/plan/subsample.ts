import type { StoredItem } from '../../store/index.ts'
import { hash48 } from './call-priority.ts'
import type { Subsample } from './experiment.ts'

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
