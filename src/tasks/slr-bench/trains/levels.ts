import type { Curriculum } from '../../../core/task.ts'
import { type Config, tiers } from './config.ts'

/** The tiers in order, on longer and longer trains. */
export const levels: Curriculum<Config> = {
  count: tiers.length,
  grows: 'question',
  config: (level) => ({ tier: tiers[level] ?? 'hard', cars: 3 + level }),
}
