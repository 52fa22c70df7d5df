import type { Ladder } from '../../../core/task.ts'
import { type Config, tiers } from './config.ts'

/** The tiers in order. */
export const levels: Ladder<Config> = {
  count: tiers.length,
  grows: 'proof',
  config: (level) => ({ tier: tiers[level] ?? 'hard' }),
}
