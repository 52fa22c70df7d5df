import type { Cue } from '../../../core/task.ts'
import type { Config } from './config.ts'

/** Shortcuts that a config has on purpose. */
export function cues(_config: Config): readonly Cue[] {
  return []
}
