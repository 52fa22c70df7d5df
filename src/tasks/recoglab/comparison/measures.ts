import type { Thing } from '../../../language/objects.ts'
import type { Config } from './config.ts'

type Range = readonly [low: number, high: number]
const middle = ([low, high]: Range): number => (low + high) / 2

/** The midpoint of a thing's range. */
export const measure = (relation: Config['relation'], { size, weight }: Thing): number =>
  middle(relation === 'weight' ? weight : size)

/**
 * Is `b` more than `a` by the config's margin? A larger thing must not be the lighter either, at neither end of the
 * range: a javelin is longer than a grand piano, but few would call it larger.
 */
export function above(a: Thing, b: Thing, config: Pick<Config, 'relation' | 'separation' | 'minRatio'>): boolean {
  if (config.relation === 'weight') return apart(a.weight, b.weight, config)
  return apart(a.size, b.size, config) && b.weight[0] >= a.weight[0] && b.weight[1] >= a.weight[1]
}

const apart = (low: Range, high: Range, { separation, minRatio }: Pick<Config, 'separation' | 'minRatio'>): boolean =>
  separation === 'intervals' ? high[0] * 100 >= low[1] * minRatio : middle(high) * 100 >= middle(low) * minRatio
