import { type RandomStreams, UsageError } from '../../../../core/index.ts'
import type { Config } from '../config.ts'
import { type Candidate, candidates, noCandidate } from './candidates.ts'
import { isSmall, leastCorrelated, type Point, pointOf } from './select.ts'

/** Which grammars: the keys they grow from. `null` where they come without end. */
export type Plan = { readonly grammars: readonly string[] } | null

/** @throws UsageError where the sizes leave no grammar with strings. */
export function plan(config: Config, draws: RandomStreams): Plan {
  if (config.grammars === null) return null
  const wanted = config.grammars
  const pool = gather(config, draws, config.selection === 'none' ? wanted : Math.max(config.pool, wanted))
  const chosen = config.selection === 'none' ? pool : selected(pool, wanted, draws)
  return { grammars: chosen.map((candidate) => candidate.key) }
}

/** `count` grammars, no two of them alike up to renaming. */
function gather(config: Config, draws: RandomStreams, count: number): Candidate[] {
  const pool: Candidate[] = []
  const seen = new Set<string>()
  for (const candidate of candidates(config, draws.stream('candidates'), draws)) {
    if (seen.has(candidate.canonical)) continue
    seen.add(candidate.canonical)
    pool.push(candidate)
    if (pool.length === count) return pool
  }
  throw new UsageError(`found ${pool.length} of ${count} grammars; ${noCandidate}`)
}

/** Published: half of the set from the small grammars, half from the others. */
function selected(pool: readonly Candidate[], wanted: number, draws: RandomStreams): Candidate[] {
  const points = pool.map(({ grammar }) => pointOf(grammar))
  const indices = pool.map((_, i) => i)
  const small = indices.filter((i) => isSmall(points[i] as Point))
  const large = indices.filter((i) => !isSmall(points[i] as Point))
  const fromLarge = Math.min(large.length, Math.max(Math.floor(wanted / 2), wanted - small.length))
  const choose = (from: readonly number[], count: number, label: string): number[] =>
    leastCorrelated(
      from.map((i) => points[i] as Point),
      count,
      draws.stream(label),
    ).map((i) => from[i] as number)
  return [...choose(small, wanted - fromLarge, 'small'), ...choose(large, fromLarge, 'large')].map(
    (i) => pool[i] as Candidate,
  )
}
