import { z } from 'zod'
import { UsageError } from '../../../core/errors.ts'
import type { Stream } from '../../../core/streams.ts'
import type { Layout, RandomStreams, StratumLevels } from '../../../core/task.ts'

/** Parameters of the published rule. */
export const rebalanceShape = {
  rebalance: z
    .enum(['strata', 'published'])
    .default('strata')
    .describe('Exact strata, or natural draws thinned by the published rule (a finite set)'),
  rebalanceFrom: z
    .int()
    .min(1)
    .max(20_000)
    .default(1000)
    .describe('Published rule: number of natural draws before thinning'),
} as const

/**
 * The published rebalancing rule ("heuristic rejection", appendix of the paper and its code), for a stream of examples
 * with one metadata value each. Keeps the first tenth; then a value with fewer than 20 kept; then a value kept less
 * than twice as often as the least kept among values that make up at least 1 % so far. It does not draw again, so the
 * set gets smaller than requested.
 */
export function publishedRebalance(values: readonly string[]): boolean[] {
  const seen = new Map<string, number>()
  const kept = new Map<string, number>()
  const warmUp = Math.floor(values.length / 10)
  return values.map((value, i) => {
    seen.set(value, (seen.get(value) ?? 0) + 1)
    const mine = kept.get(value) ?? 0
    let keep = i < warmUp || mine < 20
    if (!keep) {
      let least = Number.POSITIVE_INFINITY
      for (const [other, count] of kept) {
        if (100 * (seen.get(other) as number) >= i + 1) least = Math.min(least, count)
      }
      keep = mine < 2 * least
    }
    if (keep) kept.set(value, mine + 1)
    return keep
  })
}

/** How often a draw that does not fit the config is tried again. */
const TRIES = 100_000

/**
 * `rebalanceFrom` natural draws, thinned by the published rule. `begin` starts the i-th on its own stream and gives
 * what makes one attempt: null where it falls outside the config.
 * @throws UsageError where no attempt fits
 */
export function thinned<T>(
  { rebalanceFrom }: { readonly rebalanceFrom: number },
  draws: RandomStreams,
  begin: (stream: Stream) => () => T | null,
  fieldOf: (drawn: T) => string,
): readonly T[] {
  const drawn = Array.from({ length: rebalanceFrom }, (_, i) => firstFit(begin(draws.stream('natural', i))))
  const keep = publishedRebalance(drawn.map(fieldOf))
  return drawn.filter((_, i) => keep[i])
}

function firstFit<T>(attempt: () => T | null): T {
  for (let i = 0; i < TRIES; i++) {
    const found = attempt()
    if (found !== null) return found
  }
  throw new UsageError(`${TRIES} natural draws have no pair at a requested distance. Widen minDistance and maxDistance`)
}

/** The strata of a list, one after another, instead of a layout's own order. */
export function layoutFromList(base: Layout, kept: readonly StratumLevels[]): Layout {
  const keyOf = (levels: StratumLevels): string =>
    JSON.stringify(Object.entries(levels).sort(([a], [b]) => (a < b ? -1 : 1)))
  const strata = new Map(base.strata.map((levels, i) => [keyOf(levels), i]))
  const stratum = kept.map((levels) => strata.get(keyOf(levels)) as number)
  const served = new Map<number, number>()
  const nth = stratum.map((s) => {
    const n = served.get(s) ?? 0
    served.set(s, n + 1)
    return n
  })
  const { label: _, ...rest } = base
  return {
    ...rest,
    size: kept.length,
    at(index) {
      const s = stratum[index] as number
      return { stratum: s, unit: s, group: index, ordinal: nth[index] as number }
    },
  }
}
