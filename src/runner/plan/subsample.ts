import type { StoredItem } from '../../store/index.ts'
import { keyedNumber } from './call-priority.ts'
import type { Subsample } from './experiment.ts'

/** Chooses items for one model from a stream of items. */
export interface Chooser {
  /** Offers the next item; true: it is chosen at once. */
  offer(item: StoredItem): boolean
  /** What could only be chosen when all were seen. */
  rest(): Iterable<StoredItem['id']>
}

const RANGE = 2 ** 48

/**
 * Seeded and nested: each item has one rank for the whole run, whatever the model, and a smaller part is always inside
 * a larger one, so that models are compared on shared items. Memory: the ids of the chosen items for `perStratum`,
 * nothing for `share`.
 *
 * @param byGroup - strata are counted inside each group: right where groups come one after another.
 * @param twins - items in a set of twins, 1 where there are none: a set has one rank, so it is chosen whole.
 */
export function chooser(subsample: Subsample | null, seed: string, byGroup: boolean, twins: number): Chooser {
  if (subsample === null) return { offer: () => true, rest: () => [] }
  const rank = (item: StoredItem): number =>
    keyedNumber('subsample', seed, twins === 1 ? item.id : idOfFirst(item, twins))
  if ('share' in subsample) return { offer: (item) => rank(item) < subsample.share * RANGE, rest: () => [] }
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

/** At most so many, two or more, of the places 0..count-1, evenly from the first to the last: what changed later in a set is seen too. */
export function spreadOver(count: number, most: number): readonly number[] {
  if (count <= most) return Array.from({ length: count }, (_, place) => place)
  return Array.from({ length: most }, (_, k) => Math.round((k * (count - 1)) / (most - 1)))
}
