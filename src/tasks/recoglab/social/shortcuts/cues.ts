import type { DeclaredShortcut } from '../../../../core/task.ts'
import type { Config } from '../config.ts'

/** Shortcuts that a config has on purpose. */
export function cues(config: Config): readonly DeclaredShortcut[] {
  if (config.ask === 'next-hop') {
    const why = 'whoever passes a message on stands in two statements or more: that is the network itself'
    return [...mentions(why, [0, 0.18]), { probe: 'local-*', why, gain: [-0.02, 0.35] }]
  }
  if ((config.ask === 'oldest' || config.ask === 'youngest') && config.candidates === 0) {
    const why = 'the members of an outer generation have relatives on one side only, so fewer statements name them'
    return [...mentions(why, [-0.17, 0]), { probe: 'local-*', why, gain: [0.25, 0.8] }]
  }
  if (config.ask === 'oldest' || config.ask === 'youngest') {
    const why = 'two steps around one of three are part of the way between the generations'
    return [{ probe: 'local-2/*', why, gain: [-0.02, 0.12] }]
  }
  if (config.ask === 'hops') {
    // For a chain of ten in random order 5/6 of its guesses are "1" at one hop and 229/252 elsewhere: a gain of -0.0094.
    const why = 'one hop is one statement about both, so they are last mentioned together; other distances are alike'
    const last: DeclaredShortcut = { probe: 'mentioned-last', why, gain: [-0.02, 0] }
    if (config.network === 'chain') return [last]
    const whole = 'two steps around two people are much of a small network, and tell how far apart they can be'
    if (config.network === 'tree') return [last, { probe: 'local-2/*', why: whole, gain: [0, 0.35] }]
    const crowded = 'how many friends two people have in a dense network tells how near they are'
    return [
      last,
      { probe: 'local-0/*', why: crowded, gain: [-0.02, 0.2] },
      { probe: 'local-1/*', why: crowded, gain: [-0.02, 0.25] },
      { probe: 'local-2/*', why: whole, gain: [-0.02, 0.7] },
    ]
  }
  return []
}

/** How often and where a person is mentioned; the bounds are what networks of ten show, where they are largest. */
const mentions = (why: string, rules: DeclaredShortcut['gain']): readonly DeclaredShortcut[] => [
  ...['mentions', 'first-mention', 'last-mention'].map((name) => ({
    probe: `candidate/${name}`,
    why,
    gain: [0, 0.27] as const,
  })),
  { probe: 'mentioned-*', why, gain: rules },
  { probe: 'learned/*', why, gain: [0, 0.01] },
]
