import type { Thing } from '../../../../libraries/language/objects.ts'
import type { Config } from '../config.ts'

type Range = readonly [low: number, high: number]
const middle = ([low, high]: Range): number => (low + high) / 2

/** How many times the weight of the smaller thing the larger one has at least. */
const HEAVIER = 1.25

/** The midpoint of a thing's range. */
export const measure = (relation: Config['relation'], { size, weight }: Thing): number =>
  middle(relation === 'weight' ? weight : size)

/**
 * Is `b` more than `a` by the config's margin? A larger thing must not be the lighter either, at neither end of the
 * range, and must weigh a quarter more on the whole: a javelin is longer than a grand piano and a dog longer than a
 * washing machine, but few would call them larger.
 */
export function above(a: Thing, b: Thing, config: Pick<Config, 'relation' | 'separation' | 'minRatio'>): boolean {
  if (config.relation === 'weight') return apart(a.weight, b.weight, config)
  const heavier = middle(b.weight) >= HEAVIER * middle(a.weight)
  return heavier && apart(a.size, b.size, config) && b.weight[0] >= a.weight[0] && b.weight[1] >= a.weight[1]
}

const apart = (low: Range, high: Range, { separation, minRatio }: Pick<Config, 'separation' | 'minRatio'>): boolean =>
  separation === 'intervals' ? high[0] * 100 >= low[1] * minRatio : middle(high) * 100 >= middle(low) * minRatio
