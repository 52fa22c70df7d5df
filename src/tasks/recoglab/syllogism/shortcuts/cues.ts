import type { DeclaredShortcut } from '../../../../core/task.ts'
import type { Config } from '../config.ts'

/** Shortcuts that a config has on purpose. */
export const cues = (config: Config): readonly DeclaredShortcut[] => [
  ...ofContent(config),
  ...ofOrder(config),
  ...ofForm(config),
]

function ofOrder(config: Config): readonly DeclaredShortcut[] {
  if (config.order === 'random' || config.construction === 'twins') return []
  const why = 'in order the first (or last) statement is the one about the subject, so its kind says something'
  const [subject, predicate] = config.order === 'forward' ? ['first-mood', 'last-mood'] : ['last-mood', 'first-mood']
  // Largest with three terms.
  return [
    { probe: subject, why, gain: [0, 0.31] },
    { probe: predicate, why, gain: [-0.18, 0] },
  ]
}

function ofContent(config: Config): readonly DeclaredShortcut[] {
  if (config.nouns === 'congruent' || config.nouns === 'incongruent') {
    const why = 'statements about real nouns are true (or false) of the world on purpose: that is the experiment'
    return [
      // Which nouns come early in the alphabet is an accident of a split's few classes; "not" has its place among them.
      { probe: 'alphabetical-order', why, gain: [-0.03, 0.08] },
      { probe: 'candidate/alphabet', why, gain: [0, 0.04] },
      { probe: 'learned/*', why, gain: [0, 0.03] },
      ...repeats(config),
    ]
  }
  if (config.construction === 'twins') return []
  if (config.ask === 'judge') {
    const why =
      'which of two terms a statement names first is all that tells valid from invalid; neighbouring words show it'
    return [
      ...['text/distinct-bigrams', 'learned/*'].map((probe) => ({ probe, why, gain: [0, 0.24] as const })),
      { probe: 'query/*', why, gain: [0, 0.12] },
    ]
  }
  if (config.construction === 'padded') return []
  const why =
    'without further statements every valid conclusion follows the atmosphere of its premises: a fact about syllogisms'
  return [{ probe: 'atmosphere', why, gain: [0.74, 0.76] }]
}

/** With further statements, so seldom that a set of the size a split allows (see the layout) holds one by chance if any. */
function repeats({ nouns, construction }: Config): readonly DeclaredShortcut[] {
  if (nouns !== 'congruent' || construction !== 'padded') return []
  const why = 'true statements about real nouns are few, so that one set of them may come twice'
  return [{ probe: 'duplicates', why, gain: [0, 0.001] }]
}

/** One way and no twin of it: the statements of the way stand in places of their own, and those tell the form. */
function ofForm({ construction, ask }: Config): readonly DeclaredShortcut[] {
  if (construction === 'twins') return []
  if (ask === 'judge') {
    const why = 'the way of a conclusion that follows has other places than one with a step turned round'
    return [{ probe: 'local-*', why, gain: [-0.05, 0.5] }]
  }
  if (construction === 'padded') {
    const why = 'the terms of two statements are those of the way, and the form of a way is its answer'
    return [{ probe: 'local-*', why, gain: [0.3, 0.75] }]
  }
  const why = 'nothing but the way is said, and the form of a way is its answer'
  return [
    { probe: 'local-*', why, gain: [0.7, 0.75] },
    { probe: 'matching', why, gain: [0.5, 0.65] },
    { probe: 'first-mood', why, gain: [0, 0.35] },
    { probe: 'last-mood', why, gain: [0, 0.35] },
    { probe: 'learned/logistic', why, gain: [0, 0.01] },
  ]
}
