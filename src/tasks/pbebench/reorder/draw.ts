import {
  balancedBlocks,
  type DrawContext,
  type DrawResult,
  type Layout,
  pick,
  type RandomStreams,
} from '../../../core/index.ts'
import { fenceKey } from '../fence.ts'
import { drawConditional } from '../sampling/conditional.ts'
import type { Instance } from '../sampling/setting.ts'
import { settingOf } from '../sampling/settings.ts'
import type { Config } from './config.ts'
import { inverse } from './drawing/scramble.ts'
import { type Asked, askedOf, categoriesOf } from './drawing/targets.ts'
import { describeScrambled, type ItemFeatures } from './features.ts'
import { outcomes } from './orders/reachable.ts'
import { inOrder, type OrderAnswer, type Scrambled } from './types.ts'

const FENCE_TRIES = 512
/** Rules and words that cannot be asked before the item is given up; where no two orders may agree, few can. */
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
    else if (!draws.inSplit(fenceKey(instance.inputs, asked.outputs))) fenced++
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
