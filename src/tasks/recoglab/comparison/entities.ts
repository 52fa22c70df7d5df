import { sample, shuffle } from '../../../core/random.ts'
import type { Stream } from '../../../core/stream.ts'
import { codes } from '../../../language/codes.ts'
import { type Thing, things } from '../../../language/objects.ts'
import { firstNames } from '../../../language/people.ts'
import { sorted } from '../common/fence.ts'
import type { Config } from './config.ts'

/** The entities of an item from least to greatest, and for real orders how far apart neighbours are. */
export interface Hidden {
  readonly order: readonly string[]
  /** Real order only: things by position in `order`. */
  readonly real: readonly Thing[] | null
}

/** How often a fresh shuffle is tried before giving up on so many separated things. */
const TRIES = 60

export function drawEntities(config: Config, mask: number, stream: Stream): Hidden | null {
  if (config.congruency !== 'none') {
    const real = separated(config, things.of(mask), stream)
    if (real === null) return null
    const up = config.congruency === 'congruent' ? real : [...real].reverse()
    return { order: up.map((thing) => thing.name), real: up }
  }
  const pool =
    config.entityKind === 'objects'
      ? things.of(mask).map((thing) => thing.name)
      : config.entityKind === 'names'
        ? firstNames.of(mask)
        : codes.of(mask)
  const order = sample(stream, pool, config.entities)
  return { order: config.entityOrder === 'published' ? sorted(order) : order, real: null }
}

const interval = (thing: Thing, config: Config) => (config.relation === 'weight' ? thing.weight : thing.size)
const middle = ([low, high]: readonly [number, number]): number => (low + high) / 2

/** Does `b` lie above `a` by the config's margin? */
function above(a: Thing, b: Thing, config: Config): boolean {
  const low = interval(a, config)
  const high = interval(b, config)
  return config.separation === 'intervals'
    ? high[0] * 100 >= low[1] * config.minRatio
    : middle(high) * 100 >= middle(low) * config.minRatio
}

/** Things that are all apart by the margin, in real order: greedily from a random shuffle. */
function separated(config: Config, pool: readonly Thing[], stream: Stream): Thing[] | null {
  for (let i = 0; i < TRIES; i++) {
    const chosen: Thing[] = []
    for (const thing of shuffle(stream, pool)) {
      if (chosen.length === config.entities) break
      if (chosen.every((other) => above(other, thing, config) || above(thing, other, config))) chosen.push(thing)
    }
    if (chosen.length === config.entities)
      return chosen.sort((a, b) => middle(interval(a, config)) - middle(interval(b, config)))
  }
  return null
}

/** The real ratio of the greater's midpoint to the lesser's. */
export function realRatio(config: Config, a: Thing, b: Thing): number {
  const x = middle(interval(a, config))
  const y = middle(interval(b, config))
  return x > y ? x / y : y / x
}
