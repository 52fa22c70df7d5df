import { sample } from '../../../../core/random.ts'
import type { Stream } from '../../../../core/streams.ts'
import { type Thing, things } from '../../../../libraries/language/objects.ts'
import { firstNames, randomStrings } from '../../../../libraries/language/people.ts'
import { sorted } from '../../common/fence.ts'
import { givenNames } from '../../common/names.ts'
import type { Config } from '../config.ts'
import { type Chains, chains, drawChain } from './chains.ts'
import { above, measure } from './measures.ts'

/** The entities of an item from least to greatest, and for real orders how far apart neighbours are. */
export interface Hidden {
  readonly order: readonly string[]
  /** Real order only: things by position in `order`. */
  readonly real: readonly Thing[] | null
}

export function drawEntities(config: Config, mask: number, stream: Stream): Hidden | null {
  if (config.congruency !== 'none') {
    const real = drawChain(chainsOf(config, mask), stream)
    if (real === null) return null
    const up = config.congruency === 'congruent' ? real : [...real].reverse()
    return { order: up.map((thing) => thing.name), real: up }
  }
  const pool =
    config.entityKind === 'objects'
      ? things.of(mask).map((thing) => thing.name)
      : config.entityKind === 'names'
        ? firstNames.of(mask)
        : config.entityKind === 'given'
          ? givenNames(config.names).of(mask)
          : randomStrings.of(mask)
  if (pool.length < config.entities) return null
  const order = sample(stream, pool, config.entities)
  return { order: config.entityOrder === 'published' ? sorted(order) : order, real: null }
}

const known = new Map<string, Chains<Thing>>()
/** The real orders of a split's things; counted at first use. */
function chainsOf(config: Config, mask: number): Chains<Thing> {
  const { relation, separation, minRatio, entities } = config
  const key = [mask, relation, separation, minRatio, entities].join(' ')
  let found = known.get(key)
  if (found === undefined) {
    const pool = [...things.of(mask)].sort((a, b) => measure(relation, a) - measure(relation, b))
    found = chains(pool, (a, b) => above(a, b, config), entities)
    known.set(key, found)
  }
  return found
}

/** The real ratio of the greater's midpoint to the lesser's. */
export function realRatio(config: Config, a: Thing, b: Thing): number {
  const x = measure(config.relation, a)
  const y = measure(config.relation, b)
  return x > y ? x / y : y / x
}
