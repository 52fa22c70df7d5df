import { pick, type StratumLevels, type Stream, shuffle } from '../../../../core/index.ts'
import { categoryOf, type Rule } from '../../../../libraries/rewriting/index.ts'
import type { Instance } from '../../sampling/setting.ts'
import type { Config } from '../config.ts'
import { interactionOf } from '../features.ts'
import { fairlyAsked, type Outcome, outcomes } from '../orders/reachable.ts'
import { inOrder } from '../types.ts'
import { scramble } from './scramble.ts'

/** Rules in an order that gives the outputs, and the order in which they are shown: `permutation[k]` is the place of the rule shown at k. */
export interface Asked {
  readonly outputs: readonly string[]
  readonly rules: readonly Rule[]
  readonly permutation: readonly number[]
  /** Where they were listed: all outputs that the rules can give. */
  readonly all: readonly Outcome[] | null
}

/** Categories of the cascades whose rules and words a cell takes, each as often. */
export const categoriesOf = (config: Config, levels: StratumLevels): readonly number[] =>
  config.target === 'planted'
    ? [categoryOf(levels['category'] as string)]
    : Array.from({ length: 16 }, (_, category) => category).filter(
        (category) => interactionOf(category) === levels['interaction'],
      )

/**
 * What is asked of the rules and words of a cascade, or null where they cannot be asked. With targets of equal chance
 * that is decided by the rules and words alone, before the target is drawn: whoever does not look at the outputs is
 * right with probability 1 / (number of outputs), whatever is computed from the rules, the inputs and the order shown.
 */
export function askedOf(stream: Stream, instance: Instance, config: Config): Asked | null {
  const { inputs, outputs, rules } = instance
  if (config.target === 'planted') {
    const permutation = scramble(stream, inputs, outputs, rules, config.scramble, config.classifier)
    return permutation === null ? null : { outputs, rules, permutation, all: null }
  }
  const all = outcomes(inputs, rules)
  if (all === null || !fairlyAsked(inputs, all)) return null
  if (config.unique && all.some(({ orders }) => orders > 1)) return null
  const target = pick(stream, all)
  const ordered = inOrder(rules, target.drawOrder(stream))
  const permutation =
    config.scramble === 'uniform'
      ? shuffle(stream, [...rules.keys()])
      : scramble(stream, inputs, target.outputs, ordered, config.scramble, config.classifier)
  return permutation === null ? null : { outputs: target.outputs, rules: ordered, permutation, all }
}
