import type { Curriculum } from '../../../core/index.ts'
import type { Config } from './config.ts'

/** Fewer examples to learn the language from. */
export const levels: Curriculum<Config> = {
  count: 6,
  grows: 'fewer-examples',
  config: (level) => ({ languages: ['g1'], repetitions: 1000, examples: [32 >> level] }),
}
