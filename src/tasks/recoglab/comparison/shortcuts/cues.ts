import type { DeclaredShortcut } from '../../../../core/task.ts'
import type { Config } from '../config.ts'

/** Shortcuts that a config has on purpose. */
export function cues(config: Config): readonly DeclaredShortcut[] {
  const declared: DeclaredShortcut[] = []
  if (config.entityOrder === 'published') {
    const why = 'the published order is the order of the alphabet, kept for comparison with the original'
    for (const probe of ['list-order', 'alphabetical']) declared.push({ probe, why, gain: [0.49, 0.5] })
  }
  if (config.congruency !== 'none') {
    const why = 'the order agrees (or disagrees) with the real world on purpose: that is the experiment'
    const sign = config.congruency === 'congruent' ? 1 : -1
    // The more items, the more of the real order they teach: 0.26 at 5,000 on the smallest splits, 0.34 at 50,000.
    declared.push({ probe: 'learned/*', why, gain: [0, 0.4] })
    // How names, their words and the alphabet go with real sizes is an accident of a split's few things: the bounds are
    // what train, validation, test and custom splits show (docs/audit.md#results-for-the-presets).
    declared.push({ probe: 'name-length', why, gain: either(sign, [-0.1, 0.2]) })
    for (const probe of ['list-order', 'alphabetical']) declared.push({ probe, why, gain: either(sign, [-0.1, 0.18]) })
    // Names of several words: what is left of the question without them, how often the words of one occur in others.
    for (const probe of ['query/words', 'query/second-mentions', 'query/mentions-difference'])
      declared.push({ probe, why, gain: [0, 0.05] })
    for (const probe of ['text/adjacent-repeats', 'text/longest-repetition'])
      declared.push({ probe, why, gain: [0, 0.05] })
    declared.push({ probe: 'world-knowledge', why, gain: either(sign, [0.49, 0.5]) })
  }
  // A walk along a tree goes up and down, so that there being later says nothing.
  if (config.order !== 'random' && config.ask === 'order' && config.network === 'chain') {
    const why = 'statements stand in the order of the chain on purpose: whoever comes later is more (or less)'
    const sign = config.order === 'forward' ? 1 : -1
    for (const probe of ['recency', 'position']) declared.push({ probe, why, gain: either(sign, [0.49, 0.5]) })
    for (const level of [1, 2]) declared.push({ probe: `local-${level}/*`, why, gain: [0, 0.5] })
    // Whoever knows the comparative needs only to see which of the two stood first.
    if (config.queryWord !== 'both')
      for (const probe of ['query/*', 'learned/*']) declared.push({ probe, why, gain: [-0.5, 0.5] })
  }
  if (config.order !== 'random' && config.network === 'tree' && config.ask === 'order') {
    const why = 'statements stand in the order of a walk on purpose, and near the two their order goes with the way'
    for (const level of [1, 2]) declared.push({ probe: `local-${level}/*`, why, gain: [0, 0.3] })
  }
  if (config.endpoints === 'any' && config.ask !== 'consistency') {
    const why = 'anybody may be asked about, as published: who is more often the greater is likely to be more'
    for (const probe of ['statement-counts', 'local-*']) declared.push({ probe, why, gain: [0, 0.6] })
  }
  return declared
}

const either = (sign: number, [low, high]: readonly [number, number]): readonly [number, number] =>
  sign > 0 ? [low, high] : [-high, -low]
