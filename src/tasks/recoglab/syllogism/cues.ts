import type { Cue } from '../../../core/task.ts'
import type { Config } from './config.ts'

/** Shortcuts that a config has on purpose. */
export function cues(config: Config): readonly Cue[] {
  if (config.ask === 'judge' || config.distractors === 'balanced') return []
  const why =
    'without distractors every valid conclusion follows the atmosphere of its premises: a fact about syllogisms'
  return [{ probe: 'atmosphere', why, gain: [0.74, 0.76] }]
}
