import type { Curriculum } from '../../../core/index.ts'
import type { Config } from './config.ts'

/** Longer cascades, with words enough to tell them. */
export const levels: Curriculum<Config> = {
  count: 9,
  grows: 'proof',
  config: (level) => ({ words: 5 + 5 * level, lengths: [2 + level], limit: { floor: 2 + level, slack: 0 } }),
}
