import type { Curriculum } from '../../../core/index.ts'
import type { Config } from './config.ts'

/** More statements on the way from subject to predicate. */
export const levels: Curriculum<Config> = {
  count: 10,
  grows: 'proof',
  config: (level) => ({ ask: 'judge', terms: 3 + level }),
}
