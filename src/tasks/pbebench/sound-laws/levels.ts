import type { Curriculum } from '../../../core/index.ts'
import type { Config } from './config.ts'

/** More words an item, whose changes need more laws; a list has an end, and so has a level. */
export const levels: Curriculum<Config> = {
  count: 4,
  grows: 'proof',
  config: (level) => ({ chunk: 5 << level }),
}
