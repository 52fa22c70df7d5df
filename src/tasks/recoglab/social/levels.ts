import type { Curriculum } from '../../../core/index.ts'
import type { Config } from './config.ts'

/** More people, and messages that are handed on more often. */
export const levels: Curriculum<Config> = {
  count: 10,
  grows: 'proof',
  config: (level) => ({
    ask: 'hops',
    network: 'tree',
    people: 6 + 4 * level,
    minDistance: 1 + level,
    maxDistance: 2 + level,
  }),
}
