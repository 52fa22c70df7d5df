import { z } from 'zod'
import { rounded } from '../../../core/index.ts'
import { type Classifier, cascadeCategory, type Rule, runCascade } from '../../../libraries/rewriting/index.ts'
import { cascadeFeatures, describeCascade } from '../induce/features.ts'
import { factorial } from './orders/orders.ts'
import type { Outcome } from './orders/reachable.ts'
import { inOrder, type Scrambled } from './types.ts'

export const features = z.object({
  ...cascadeFeatures,
  interaction: z
    .enum(['none', 'feeding', 'bleeding', 'both'])
    .describe('what pairs of the rules can do to one another, in whatever order')
    .meta({ role: 'stratum' }),
  classes: z
    .int()
    .nullable()
    .describe('distinct outputs that the orders of the rules give; null where the search was too large')
    .meta({ role: 'difficulty', unit: 'outputs' }),
  validOrders: z
    .int()
    .nullable()
    .describe('orders of the rules that give the outputs; null where the search was too large')
    .meta({ role: 'difficulty', unit: 'orders' }),
  unique: z
    .boolean()
    .nullable()
    .describe('only one order gives the outputs; null where the search was too large')
    .meta({ role: 'difficulty' }),
  chance: z
    .number()
    .nullable()
    .describe(
      'what an answer that ignores the outputs scores: 1 / classes; of a planted target, what a random order scores: the share of orders that work',
    )
    .meta({ role: 'difficulty', unit: 'share' }),
  displaced: z.int().describe('rules that are not at their true place').meta({ role: 'truth', unit: 'rules' }),
  shownRight: z.boolean().describe('the order shown gives the outputs as it is').meta({ role: 'truth' }),
})

/** What `draw` tells of an item, and nothing else. */
export type ItemFeatures = z.infer<typeof features>

/** What pairs of rules can do to one another whatever their order, from a category of any order of them. */
export function interactionOf(category: number): 'none' | 'feeding' | 'bleeding' | 'both' {
  const [feeding, bleeding] = [(category & 0b1010) !== 0, (category & 0b0101) !== 0]
  return feeding ? (bleeding ? 'both' : 'feeding') : bleeding ? 'bleeding' : 'none'
}

/** Of which sampling an item is: what answers that ignore the outputs score depends on it. */
export type Target = 'uniform' | 'planted'

/** Features of a scrambled cascade, with the relations of the rules in the order of the answer; `all`: what they can give. */
export function describeScrambled(
  given: Scrambled,
  order: readonly number[],
  all: readonly Outcome[] | null,
  target: Target,
  classifier: Classifier,
  letters: number,
): ItemFeatures {
  const { inputs, outputs, rules } = given
  const truth: readonly Rule[] = inOrder(rules, order)
  const category = cascadeCategory(truth, classifier)
  const goal = outputs.join('\n')
  const validOrders = all?.find((one) => one.outputs.join('\n') === goal)?.orders ?? null
  const classes = all?.length ?? null
  return {
    ...describeCascade({ inputs, outputs, rules: truth }, category, classifier, letters),
    interaction: interactionOf(category),
    classes,
    validOrders,
    unique: validOrders === null ? null : validOrders === 1,
    chance: chanceOf(target, classes, validOrders, rules.length),
    displaced: order.filter((k, position) => k !== position).length,
    shownRight: runCascade(inputs, rules).every((word, i) => word === outputs[i]),
  }
}

function chanceOf(target: Target, classes: number | null, orders: number | null, rules: number): number | null {
  if (classes === null || orders === null) return null
  return rounded(target === 'uniform' ? 1 / classes : orders / factorial(rules))
}
