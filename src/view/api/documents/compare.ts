import { z } from 'zod'
import { subsetSize } from './overview.ts'
import { count, estimate } from './values.ts'

const effect = z.object({
  items: count,
  accuracyA: z.number(),
  accuracyB: z.number(),
  /** A - B. */
  difference: estimate,
  p: z.number(),
  onlyA: count,
  onlyB: count,
})
export type ShownEffect = z.infer<typeof effect>

const eValues = z.object({ units: count, a: z.number(), b: z.number() })

export const compareDocument = z.object({
  schema: z.literal('touchstone/view-compare/1'),
  a: z.string(),
  b: z.string(),
  parser: z.string(),
  /** null: all items. */
  subsetSize: subsetSize.nullable(),
  /** null: they share no two groups of items. */
  found: z
    .object({
      overall: effect,
      /** E-values of "A is better" and "B is better", in total and after each group (or item, if there is one group). */
      evidence: eValues.extend({ unit: z.enum(['group', 'item']), path: z.array(eValues) }),
      tasks: z.array(effect.extend({ task: z.string() })),
      /** Every level of every feature, with p by Holm over all of them. */
      levels: z.array(
        effect.extend({
          task: z.string(),
          feature: z.string(),
          name: z.string(),
          level: z.string(),
          holm: z.number(),
        }),
      ),
      /** Least number of shared items of a level that is tested. */
      fewest: count,
    })
    .nullable(),
})
export type CompareDocument = z.infer<typeof compareDocument>
