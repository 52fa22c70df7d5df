import type { Curriculum } from '../../../core/index.ts'
import type { Config } from './config.ts'

/** More rules to put in order. */
export const levels: Curriculum<Config> = {
  count: 4,
  grows: 'proof',
  config: (level) => ({ words: 5, lengths: [2 + level] }),
}
