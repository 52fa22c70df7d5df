import type { Ladder } from '../../../core/index.ts'
import type { Config } from './config.ts'

/** More statements on the way from subject to predicate. */
export const levels: Ladder<Config> = {
  count: 10,
  grows: 'proof',
  config: (level) => ({ ask: 'judge', terms: 3 + level }),
}
