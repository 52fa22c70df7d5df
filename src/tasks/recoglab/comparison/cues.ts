import type { Cue } from '../../../core/task.ts'
import type { Config } from './config.ts'

/** Shortcuts that a config has on purpose. */
export function cues(config: Config): readonly Cue[] {
  const declared: Cue[] = []
  if (config.entityOrder === 'published') {
    const why = 'the published order is the order of the alphabet, kept for comparison with the original'
    for (const probe of ['list-order', 'alphabetical']) declared.push({ probe, why, gain: [0.49, 0.5] })
  }
  if (config.congruency !== 'none') {
    const why = 'the order agrees (or disagrees) with the real world on purpose: that is the experiment'
    const sign = config.congruency === 'congruent' ? 1 : -1
    declared.push({ probe: 'learned/*', why, gain: [0, 0.5] })
    // How names, their length and the alphabet go with real sizes is an accident of a split's few things.
    for (const probe of ['name-length', 'list-order', 'alphabetical'])
      declared.push({ probe, why, gain: [-0.25, 0.25] })
    declared.push({ probe: 'world-knowledge', why, gain: sign > 0 ? [0.45, 0.5] : [-0.5, -0.45] })
  }
  if (config.order !== 'random' && config.ask === 'order') {
    const why = 'statements stand in the order of the chain on purpose: whoever comes later is more (or less)'
    for (const probe of ['recency', 'position', 'query/*', 'learned/*'])
      declared.push({ probe, why, gain: [-0.5, 0.5] })
  }
  return declared
}
