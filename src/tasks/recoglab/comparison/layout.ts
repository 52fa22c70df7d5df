import { pick } from '../../../core/random.ts'
import { rounds, type Unit } from '../../../core/rounds.ts'
import type { Layout, Levels, Streams } from '../../../core/task.ts'
import { randomlyOriented, randomTree } from '../../../graphs/generate.ts'
import { neighbours } from '../../../graphs/graph.ts'
import { distancesFrom } from '../../../graphs/search.ts'
import { publishedRebalance } from '../common/rebalance.ts'
import { type Config, distances } from './config.ts'

/** Strata kept by the published rule, in order; null for exact strata. */
export type Plan = { readonly kept: readonly (readonly [distance: number, word: string, answer: string])[] | null }

export function plan(config: Config, draws: Streams): Plan {
  if (config.rebalance === 'strata') return { kept: null }
  const drawn = Array.from({ length: config.rebalanceFrom }, (_, i) => natural(config, draws, i))
  const keep = publishedRebalance(drawn.map(([, , answer]) => answer))
  return { kept: drawn.filter((_, i) => keep[i]) }
}

/** What an unbalanced random tree with a random pair gives: its distance and label. */
function natural(config: Config, draws: Streams, i: number): [distance: number, word: string, answer: string] {
  const stream = draws.stream('natural', i)
  const word = pick(stream, config.queryWord === 'both' ? ['lesser', 'greater'] : [config.queryWord])
  const [low, high] = distances(config)
  for (;;) {
    const tree = randomlyOriented(stream, randomTree(stream, config.entities))
    const a = pick(
      stream,
      Array.from({ length: config.entities }, (_, v) => v),
    )
    const b = pick(
      stream,
      Array.from({ length: config.entities }, (_, v) => v),
    )
    const distance = distancesFrom(neighbours(tree), a)[b] as number
    if (distance < low || distance > high) continue
    const directed = neighbours(tree, true)
    const up = distancesFrom(directed, a)[b] !== -1
    const down = distancesFrom(directed, b)[a] !== -1
    return [distance, word, up ? 'Yes' : down ? 'No' : 'Unknown']
  }
}

export function layout(config: Config, known: Plan, draws: Streams): Layout {
  const [low, high] = distances(config)
  const queried =
    config.ask === 'consistency' ? ['none'] : config.queryWord === 'both' ? ['lesser', 'greater'] : [config.queryWord]
  const units: Unit[] = []
  for (let distance = low; distance <= high; distance++) {
    const weight = config.distanceBalance === 'natural' ? config.entities - distance : 1
    for (const word of queried) units.push({ levels: { distance, word }, weight })
  }
  const answers =
    config.ask === 'consistency'
      ? ['Consistent', 'Inconsistent']
      : config.ask === 'feasibility'
        ? ['Yes', 'No', 'Unknown']
        : ['Yes', 'No']
  const factors = ['distance', 'word']
  if (config.pairing === 'flip') return inPairs(rounds({ factors, units }, draws))
  const label = { name: 'answer', levels: answers }
  const exact = rounds({ factors, units, label }, draws)
  return known.kept === null ? exact : listed(exact, known.kept)
}

/** Two indices a group, of one stratum: the same context asked about either way. */
function inPairs(base: Layout): Layout {
  return {
    ...base,
    layout: 'group-major',
    at(index) {
      const place = base.at(Math.floor(index / 2))
      return 'kind' in place ? place : { ...place, group: Math.floor(index / 2), nth: index % 2 }
    },
  }
}

/** The strata of a list, one after another. */
function listed(base: Layout, kept: NonNullable<Plan['kept']>): Layout {
  const find = (wanted: Levels) =>
    base.strata.findIndex(
      (s) => s['distance'] === wanted['distance'] && s['word'] === wanted['word'] && s['answer'] === wanted['answer'],
    )
  const stratum = kept.map(([distance, word, answer]) => find({ distance, word, answer }))
  const seen = new Map<number, number>()
  const nth = stratum.map((s) => {
    const n = seen.get(s) ?? 0
    seen.set(s, n + 1)
    return n
  })
  const { label: _, ...rest } = base
  return {
    ...rest,
    size: kept.length,
    at: (index) => ({
      stratum: stratum[index] as number,
      unit: stratum[index] as number,
      group: index,
      nth: nth[index] as number,
    }),
  }
}
