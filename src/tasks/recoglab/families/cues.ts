import type { Cue } from '../../../core/task.ts'
import type { Config } from './config.ts'
import { heuristics } from './heuristics.ts'

/** Shortcuts that a config has on purpose. */
export function cues(config: Config): readonly Cue[] {
  if (config.ask !== 'shared-hobbies') return []
  const why = 'one pair in five shares no hobby, and N/A answers all of those'
  return ['answerer/*', ...Object.keys(heuristics)].map((probe) => ({ probe, why, gain: [0, 0.25] }))
}
