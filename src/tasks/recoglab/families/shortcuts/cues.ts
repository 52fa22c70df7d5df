import type { DeclaredShortcut } from '../../../../core/task.ts'
import type { Config } from '../config.ts'
import { heuristics } from './heuristics.ts'

/** Shortcuts that a config has on purpose. */
export function cues(config: Config): readonly DeclaredShortcut[] {
  if (config.ask !== 'shared-hobbies') return []
  const why = 'one pair in five shares no hobby, and N/A answers all of those'
  // 1/5 of all answers, less the 1 % that a free answer may earn by chance.
  const probes = ['answerer/most-frequent', 'answerer/best-constant', ...Object.keys(heuristics)]
  return probes.map((probe) => ({ probe, why, gain: [0.18, 0.2] }))
}
