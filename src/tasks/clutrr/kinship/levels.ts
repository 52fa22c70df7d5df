import type { Curriculum } from '../../../core/task.ts'
import type { Config } from './config.ts'

const lengths = [4, 6, 8] as const

/** Longer chains. */
export const levels: Curriculum<Config> = {
  count: lengths.length,
  grows: 'proof',
  config: (level) => ({ hops: lengths[level] ?? 8 }),
}
