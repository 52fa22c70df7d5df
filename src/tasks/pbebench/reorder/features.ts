import { z } from 'zod'
import { feature } from '../../../core/feature.ts'
import { rounded } from '../../../core/index.ts'
import { type Classifier, cascadeCategory, type Rule, runCascade } from '../../../libraries/rewriting/index.ts'
import { cascadeFeatures, describeCascade } from '../induce/features.ts'
import { factorial, type Outcome, ordersTo } from './orders.ts'
import { inOrder, type Scrambled } from './types.ts'

export const features = z.object({
  ...cascadeFeatures,
  interaction: feature(
    z.enum(['none', 'feeding', 'bleeding', 'both']),
    'stratum',
    'relations that pairs of the rules have in any order',
  ),
  classes: feature(
    z.int().nullable(),
    'difficulty',
    'distinct outputs that the orders of the rules give; null where the search was too large',
    'outputs',
  ),
  validOrders: feature(
    z.int().nullable(),
    'difficulty',
    'orders of the rules that give the outputs; null where the search was too large',
    'orders',
  ),
  unique: feature(
    z.boolean().nullable(),
    'difficulty',
    'only one order gives the outputs; null where the search was too large',
  ),
  chance: feature(
    z.number().nullable(),
    'difficulty',
    'chance baseline: 1 / classes; for a planted target, the share of orders that work',
    'share',
  ),
  displaced: feature(z.int(), 'truth', 'rules that are not at their true position', 'rules'),
  shownRight: feature(z.boolean(), 'truth', 'the order shown already gives the outputs'),
})

export type ItemFeatures = z.infer<typeof features>

/** Relations that pairs of rules have in any order, from the category of one order. */
export function interactionOf(category: number): 'none' | 'feeding' | 'bleeding' | 'both' {
  const [feeding, bleeding] = [(category & 0b1010) !== 0, (category & 0b0101) !== 0]
  return feeding ? (bleeding ? 'both' : 'feeding') : bleeding ? 'bleeding' : 'none'
}

/** Of which sampling an item is: what answers that ignore the outputs score depends on it. */
type Target = 'uniform' | 'planted'

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
  const validOrders = ordersTo(outputs, all)
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
