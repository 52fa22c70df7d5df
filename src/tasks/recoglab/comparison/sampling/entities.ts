import { LruCache } from '../../../../core/memo.ts'
import { belowBig, sample } from '../../../../core/random.ts'
import type { Stream } from '../../../../core/streams.ts'
import { type Thing, things } from '../../../../libraries/language/objects.ts'
import { firstNames, randomStrings } from '../../../../libraries/language/people.ts'
import { givenNames, sortNames } from '../../common/names.ts'
import type { Config } from '../config.ts'

/** The entities of an item from least to greatest, and for real orders how far apart neighbours are. */
export interface TrueOrder {
  readonly order: readonly string[]
  /** Real order only: things by position in `order`. */
  readonly real: readonly Thing[] | null
}

export function drawEntities(config: Config, mask: number, stream: Stream): TrueOrder | null {
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
  return { order: config.entityOrder === 'published' ? sortNames(order) : order, real: null }
}

const known = new LruCache<Chains<Thing>, string>(256)
/** The real orders of a split's things; counted at first use. */
function chainsOf(config: Config, mask: number): Chains<Thing> {
  const { relation, separation, minRatio, entities } = config
  return known.get([mask, relation, separation, minRatio, entities].join(' '), () => {
    const pool = [...things.of(mask)].sort((a, b) => measure(relation, a) - measure(relation, b))
    return chains(pool, (a, b) => above(a, b, config), entities)
  })
}

/** The real ratio of the greater's midpoint to the lesser's. */
export function realRatio(config: Config, a: Thing, b: Thing): number {
  const x = measure(config.relation, a)
  const y = measure(config.relation, b)
  return x > y ? x / y : y / x
}

/** All chains of one length in a partial order, counted so that each can be drawn equally often. */
interface Chains<T> {
  readonly pool: readonly T[]
  /** By member: the positions of the members above it. */
  readonly above: readonly (readonly number[])[]
  /** Row n, column i: in how many ways n more members can follow member i. */
  readonly ways: readonly (readonly bigint[])[]
}

/**
 * @param pool sorted so that no member stands before one below it
 * @param length members of a chain, at least 1
 */
export function chains<T>(pool: readonly T[], isAbove: (lower: T, upper: T) => boolean, length: number): Chains<T> {
  const above = pool.map((a, i) => pool.flatMap((b, j) => (j > i && isAbove(a, b) ? [j] : [])))
  const ways: bigint[][] = [pool.map(() => 1n)]
  for (let n = 1; n < length; n++) {
    const fewer = ways[n - 1] as readonly bigint[]
    ways.push(above.map((next) => next.reduce((sum, j) => sum + (fewer[j] as bigint), 0n)))
  }
  return { pool, above, ways }
}

/** One of the chains, least member first; null: none exists. */
export function drawChain<T>({ pool, above, ways }: Chains<T>, stream: Stream): T[] | null {
  const chain: T[] = []
  let open: readonly number[] = pool.map((_, i) => i)
  for (const row of [...ways].reverse()) {
    const total = open.reduce((sum, i) => sum + (row[i] as bigint), 0n)
    if (total === 0n) return null
    let left = belowBig(stream, total)
    const taken = open.find((i) => {
      left -= row[i] as bigint
      return left < 0n
    }) as number
    chain.push(pool[taken] as T)
    open = above[taken] as readonly number[]
  }
  return chain
}

type Range = readonly [low: number, high: number]
const middle = ([low, high]: Range): number => (low + high) / 2

/** How many times the weight of the smaller thing the larger one has at least. */
const HEAVIER = 1.25

/** The midpoint of a thing's range. */
const measure = (relation: Config['relation'], { size, weight }: Thing): number =>
  middle(relation === 'weight' ? weight : size)

/**
 * Is `b` more than `a` by the config's margin? A larger thing must not be the lighter either, at neither end of the
 * range, and must weigh a quarter more on the whole: a javelin is longer than a grand piano and a dog longer than a
 * washing machine, but few would call them larger.
 */
function above(a: Thing, b: Thing, config: Pick<Config, 'relation' | 'separation' | 'minRatio'>): boolean {
  if (config.relation === 'weight') return apart(a.weight, b.weight, config)
  const heavier = middle(b.weight) >= HEAVIER * middle(a.weight)
  return heavier && apart(a.size, b.size, config) && b.weight[0] >= a.weight[0] && b.weight[1] >= a.weight[1]
}

const apart = (low: Range, high: Range, { separation, minRatio }: Pick<Config, 'separation' | 'minRatio'>): boolean =>
  separation === 'intervals' ? high[0] * 100 >= low[1] * minRatio : middle(high) * 100 >= middle(low) * minRatio
