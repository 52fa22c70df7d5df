import { memoize } from '../../../../core/memo.ts'
import { wholeRoot } from '../../common/features.ts'
import { fixedNetwork, type NetworkKnobs } from './network.ts'
import { type Alike, furthestAlike } from './pairs.ts'

type Extent = NetworkKnobs & {
  readonly ask: string
  readonly endpoints: 'matched' | 'any'
  readonly minDistance: number
  readonly maxDistance: number
}

/**
 * Least and largest distance asked about. Fixed networks are measured; random trees have a bound that grows with the
 * root of the size and that most of them reach; directed and random networks stay near.
 */
export const distances = memoize((c: Extent): readonly [low: number, high: number] => {
  const low = c.minDistance > 0 ? c.minDistance : c.ask === 'hops' ? 1 : 2
  const high = furthest(c, low)
  return [low, c.maxDistance > 0 ? Math.min(c.maxDistance, high) : Math.min(high, usual(c))]
})

function usual(c: Extent): number {
  if (c.passing === 'one-way') return 3
  if (c.network === 'tree') return Math.max(2, wholeRoot(4 * c.people))
  return c.network === 'erdos-renyi' ? 3 : Number.POSITIVE_INFINITY
}

/** The largest distance that can occur such that the item can be drawn. */
function furthest(c: Extent, low: number): number {
  const alike = alikeIn(c)
  const fixed = c.passing === 'one-way' ? null : fixedNetwork(c)
  if (fixed === null) return alike !== 'nothing' ? c.people - 3 : c.people - 1
  return furthestAlike(fixed, low, alike)
}

/** Only where the distance is the answer must those asked about look alike; few random networks have more than that. */
export function alikeIn(c: Pick<Extent, 'ask' | 'endpoints' | 'network'>): Alike {
  if (c.ask !== 'hops' || c.endpoints !== 'matched') return 'nothing'
  return c.network === 'chain' ? 'surroundings' : 'neighbours'
}
