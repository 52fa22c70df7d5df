import { type Cell, type Drawn, type Layout, rounds, type Streams } from '../../../core/index.ts'
import { categoryOf } from '../../../rewriting/index.ts'
import { fenceKey } from '../fence.ts'
import { drawConditional } from '../sampling/conditional.ts'
import { settingOf } from '../sampling/settings.ts'
import type { Config } from './config.ts'
import { describeScrambled } from './features.ts'
import { inverse, scramble } from './scramble.ts'
import { inOrder, type OrderAnswer, type Scrambled } from './types.ts'

const FENCE_TRIES = 512
/** Instances whose order does not matter before the item is given up. */
const ORDERLESS = 200

export function layout(config: Config, _plan: null, draws: Streams): Layout {
  const cells = config.lengths.length * config.categories.length
  const units = config.lengths.flatMap((length) =>
    config.categories.map((category) => ({
      levels: { length, category },
      ...(config.size === null ? {} : { capacity: Math.ceil(config.size / cells) }),
    })),
  )
  return rounds(
    { factors: ['category', 'length'], units, ...(config.size === null ? {} : { size: config.size }) },
    draws,
  )
}

export function draw(config: Config, _shared: null, at: Cell, draws: Streams): Drawn<Scrambled, OrderAnswer> {
  const setting = settingOf(config)
  const length = at.levels['length'] as number
  const category = categoryOf(at.levels['category'] as string)
  const stream = draws.stream('instance')
  let orderless = 0
  for (let tries = 0; tries < FENCE_TRIES && orderless < ORDERLESS; tries++) {
    const instance = drawConditional(stream, setting, length, category, config.attempts)
    if (instance === null)
      return { kind: 'unreachable', proved: false, reason: `not reached in ${config.attempts} attempts` }
    const { inputs, outputs, rules } = instance
    if (!draws.admits(fenceKey(inputs, outputs))) continue
    const permutation = scramble(stream, inputs, outputs, rules, config.scramble, config.classifier)
    if (permutation === null) {
      orderless++
      continue
    }
    const order = inverse(permutation)
    const given = { inputs, outputs, rules: inOrder(rules, permutation) }
    return {
      kind: 'drawn',
      given,
      answer: { order },
      features: describeScrambled(given, order, category, config.classifier, config.alphabet.length),
    }
  }
  return { kind: 'unreachable', proved: false, reason: 'no instance of this split whose order matters was found' }
}
