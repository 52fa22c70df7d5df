import type { Cue } from '../../../core/task.ts'
import type { Config } from './config.ts'

const ONE_RULE = ['answerer/most-frequent', 'answerer/best-constant']
const few = (most: number): readonly Cue[] =>
  ONE_RULE.map((probe) => ({
    probe,
    why: 'attributes are asked for equally often, and there are few rules: one of them, said each time, is right now and then',
    gain: [-0.02, most],
  }))

/** At the basic tier what a train has of one property is the rule, and of all tiers the small ones have few rules. */
export const cues = ({ tier }: Config): readonly Cue[] =>
  tier === 'basic'
    ? [
        { probe: 'answerer/one-property', why: 'the rule of this tier is a single property', gain: [0.9, 1] },
        ...few(0.14),
      ]
    : tier === 'easy'
      ? few(0.05)
      : []
