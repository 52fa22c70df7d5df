import type { Curriculum } from '../../../core/index.ts'
import type { Config } from './config.ts'

/** More laws, which hide one another's traces. */
export const levels: Curriculum<Config> = {
  count: 5,
  grows: 'proof',
  config: (level) => ({ laws: [2 + 2 * level] }),
}
