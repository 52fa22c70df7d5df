import {
  balancedBlocks,
  type DrawContext,
  type DrawResult,
  type Layout,
  pick,
  type RandomStreams,
  type StratumLevels,
  type Stream,
  shuffle,
} from '../../../core/index.ts'
import { categoryOf, type Rule } from '../../../libraries/rewriting/index.ts'
import { partitionKey } from '../canonical.ts'
import { drawConditional } from '../sampling/conditional.ts'
import { type Instance, settingOf } from '../sampling/settings.ts'
import type { Config } from './config.ts'
import { describeScrambled, type ItemFeatures, interactionOf } from './features.ts'
import { fairlyAsked, type Outcome, outcomes } from './orders.ts'
import { inverse, scramble } from './scramble.ts'
import { inOrder, type OrderAnswer, type Scrambled } from './types.ts'

const FENCE_TRIES = 512
/** Maximum unusable instances per item; few are usable where all orders must differ. */
const UNFIT = { any: 400, unique: 20_000 }

export function layout(config: Config, _plan: null, draws: RandomStreams): Layout {
  const [kind, levels] =
    config.target === 'uniform'
      ? (['interaction', config.interactions] as const)
      : (['category', config.categories] as const)
  const cells = config.lengths.length * levels.length
  const units = config.lengths.flatMap((length) =>
    levels.map((level) => ({
      levels: { length, [kind]: level },
      ...(config.size === null ? {} : { capacity: Math.ceil(config.size / cells) }),
    })),
  )
  return balancedBlocks(
    { factors: [kind, 'length'], units, ...(config.size === null ? {} : { size: config.size }) },
    draws,
  )
}

export function draw(
  config: Config,
  _shared: null,
  at: DrawContext,
  draws: RandomStreams,
): DrawResult<Scrambled, OrderAnswer, ItemFeatures> {
  const length = at.levels['length'] as number
  const stream = draws.stream('instance')
  const categories = categoriesOf(config, at.levels)
  const setting = settingOf(config)
  let [fenced, unfit] = [0, 0]
  while (fenced < FENCE_TRIES && unfit < (config.unique ? UNFIT.unique : UNFIT.any)) {
    const instance = drawConditional(stream, setting, length, pick(stream, categories), config.attempts)
    if (instance === null)
      return { kind: 'unreachable', proved: false, reason: `not reached in ${config.attempts} attempts` }
    const asked = askedOf(stream, instance, config)
    if (asked === null) unfit++
    else if (!draws.inSplit(partitionKey(instance.inputs, asked.outputs))) fenced++
    else return drawnOf(config, instance, asked)
  }
  return { kind: 'unreachable', proved: false, reason: 'no instance of this split whose order matters was found' }
}

function drawnOf(config: Config, { inputs }: Instance, asked: Asked): DrawResult<Scrambled, OrderAnswer, ItemFeatures> {
  const { outputs, rules, permutation } = asked
  const order = inverse(permutation)
  const given = { inputs, outputs, rules: inOrder(rules, permutation) }
  const all = asked.all ?? outcomes(inputs, rules)
  const { target, classifier, alphabet } = config
  return {
    kind: 'drawn',
    given,
    answer: { order },
    features: describeScrambled(given, order, all, target, classifier, alphabet.length),
  }
}

/**
 * Rules in an order that gives the outputs, and the order shown: `permutation[k]` is the position of the rule shown at
 * k.
 */
interface Asked {
  readonly outputs: readonly string[]
  readonly rules: readonly Rule[]
  readonly permutation: readonly number[]
  /** Where they were listed: all outputs that the rules can give. */
  readonly all: readonly Outcome[] | null
}

/** Categories of the cascades that provide rules and words, equally often. */
const categoriesOf = (config: Config, levels: StratumLevels): readonly number[] =>
  config.target === 'planted'
    ? [categoryOf(levels['category'] as string)]
    : Array.from({ length: 16 }, (_, category) => category).filter(
        (category) => interactionOf(category) === levels['interaction'],
      )

/**
 * The question for the rules and words of a cascade; null: unusable. With uniform targets this depends on rules and
 * words alone, before the target is drawn: an answer that ignores the outputs is correct with probability 1 / (number
 * of outputs).
 */
function askedOf(stream: Stream, instance: Instance, config: Config): Asked | null {
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
