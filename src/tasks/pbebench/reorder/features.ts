import { z } from 'zod'
import type { Features } from '../../../core/index.ts'
import { type Classifier, type Rule, runCascade } from '../../../rewriting/index.ts'
import { cascadeFeatures, describeCascade, rounded } from '../induce/features.ts'
import { COUNTED_UP_TO, countOrders, factorial } from './orders.ts'
import { inOrder, type Scrambled } from './types.ts'

export const features = z.object({
  ...cascadeFeatures,
  validOrders: z
    .int()
    .nullable()
    .describe('orders of the rules that give the outputs; null above 12 rules')
    .meta({ role: 'difficulty', unit: 'orders' }),
  unique: z
    .boolean()
    .nullable()
    .describe('only one order gives the outputs; null where the search was too large')
    .meta({ role: 'difficulty' }),
  chance: z
    .number()
    .nullable()
    .describe('share of all orders that give the outputs: what a random answer scores; null above 12 rules')
    .meta({ role: 'difficulty', unit: 'share' }),
  displaced: z.int().describe('rules that are not at their true place').meta({ role: 'truth', unit: 'rules' }),
  shownRight: z.boolean().describe('the order shown gives the outputs as it is').meta({ role: 'truth' }),
})

/** Features of a scrambled cascade and the category of its true order. */
export function describeScrambled(
  given: Scrambled,
  order: readonly number[],
  category: number,
  classifier: Classifier,
  letters: number,
): Features {
  const { inputs, outputs, rules } = given
  const truth: readonly Rule[] = inOrder(rules, order)
  const counted = countOrders(inputs, outputs, truth, rules.length <= COUNTED_UP_TO ? undefined : 2)
  const validOrders = rules.length <= COUNTED_UP_TO ? counted : null
  return {
    ...describeCascade({ inputs, outputs, rules: truth }, category, classifier, letters),
    validOrders,
    unique: counted === null ? null : counted === 1,
    chance: validOrders === null ? null : rounded(validOrders / factorial(rules.length)),
    displaced: order.filter((k, position) => k !== position).length,
    shownRight: runCascade(inputs, rules).every((word, i) => word === outputs[i]),
  }
}
