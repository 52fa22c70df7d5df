import type { Cue } from '../../../core/task.ts'
import type { Config } from './config.ts'

/** Shortcuts that a config has on purpose. */
export function cues(config: Config): readonly Cue[] {
  if (config.ask === 'next-hop') {
    const why = 'whoever passes a message on stands in two statements or more: that is the network itself'
    return probes.map((probe) => ({ probe, why, gain: [-0.15, 0.4] }))
  }
  if (config.ask === 'oldest' || config.ask === 'youngest') {
    const why = 'the members of an outer generation have relatives on one side only, so fewer statements name them'
    return probes.map((probe) => ({ probe, why, gain: [-0.3, 0.4] }))
  }
  return []
}

const probes = ['candidate/*', 'learned/*', 'mentioned-*'] as const
