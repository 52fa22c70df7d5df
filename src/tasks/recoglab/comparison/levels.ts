import type { Curriculum } from '../../../core/index.ts'
import type { Config } from './config.ts'

/** Longer chains, and questions about what lies farther apart on them. */
export const levels: Curriculum<Config> = {
  count: 12,
  grows: 'proof',
  config: (level) => ({
    ask: 'order',
    network: 'chain',
    entities: 5 + 3 * level,
    minDistance: 1 + level,
    maxDistance: 2 + 2 * level,
  }),
}
