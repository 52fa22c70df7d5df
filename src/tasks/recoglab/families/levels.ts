import type { Curriculum } from '../../../core/index.ts'
import type { Config } from './config.ts'

/** More records to look through. */
export const levels: Curriculum<Config> = {
  count: 10,
  grows: 'question',
  config: (level) => ({ families: 4 + 6 * level }),
}
