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
  if (config.ask === 'hops') {
    // For a chain of ten in random order 5/6 of its guesses are "1" at one hop and 229/252 elsewhere: a gain of -0.0094.
    const why = 'one hop is one statement about both, so they are last mentioned together; other distances are alike'
    return [{ probe: 'mentioned-last', why, gain: [-0.02, 0] }]
  }
  return []
}

const probes = ['candidate/*', 'learned/*', 'mentioned-*'] as const
