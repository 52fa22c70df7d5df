import type { Cue } from '../../../core/index.ts'
import type { Config } from './config.ts'

/** Shortcuts that a config has on purpose, with the gains that were measured (docs/families/relic.md). */
export function cues(_config: Config): readonly Cue[] {
  return []
}
