import type { Cue } from '../../../core/task.ts'
import type { Config } from './config.ts'

/** Shortcuts that a config has on purpose. */
export const cues = (config: Config): readonly Cue[] => [...ofContent(config), ...ofOrder(config)]

function ofOrder(config: Config): readonly Cue[] {
  if (config.order === 'random') return []
  const why = 'in order the first (or last) statement is the one about the subject, so its kind says something'
  return ['first-mood', 'last-mood'].map((probe) => ({ probe, why, gain: [-0.2, 0.3] }))
}

function ofContent(config: Config): readonly Cue[] {
  if (config.nouns === 'congruent' || config.nouns === 'incongruent') {
    const why = 'statements about real nouns are true (or false) of the world on purpose: that is the experiment'
    return ['alphabetical-order', 'learned/*'].map((probe) => ({ probe, why, gain: [-0.25, 0.4] }))
  }
  if (config.ask === 'judge') {
    const why =
      'which of two terms a statement names first is all that tells valid from invalid; neighbouring words show it'
    return ['text/distinct-bigrams', 'query/*', 'learned/*'].map((probe) => ({ probe, why, gain: [0, 0.25] }))
  }
  if (config.distractors === 'balanced') return []
  const why =
    'without distractors every valid conclusion follows the atmosphere of its premises: a fact about syllogisms'
  return [{ probe: 'atmosphere', why, gain: [0.74, 0.76] }]
}
