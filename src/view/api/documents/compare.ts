import { z } from 'zod'
import { outcomes } from '../filter.ts'
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

/** What one side said to an item: of several samples the first. */
const said = z.object({ outcome: z.enum(outcomes).nullable(), answer: z.string() })

/** Two models of a run, or of two runs, on shared items: A - B. */
export const compareDocument = z.object({
  schema: z.literal('touchstone/view-compare/1'),
  a: z.string(),
  b: z.string(),
  /** The run of B; null: that of A. */
  with: z.string().nullable(),
  /** Short names of the sides. */
  names: z.object({ a: z.string(), b: z.string() }),
  parser: z.string(),
  /** null: all items. */
  subsetSize: subsetSize.nullable(),
  /** What was planned otherwise in the run of A than in that of B, as `maxTokens 1024 → 2048`. */
  changed: z.array(z.string()),
  /** null: they share no two groups of items. */
  found: z
    .object({
      /** The verdict over tasks, then that of all items together. */
      title: z.string(),
      text: z.string(),
      overall: effect,
      /** Items of one side only. */
      unshared: z.object({ a: count, b: count }),
      /** E-values of "A is better" and "B is better", in total and after each group (or item, if there is one group). */
      evidence: eValues.extend({ unit: z.enum(['group', 'item']), path: z.array(eValues) }),
      /** By task, with p by Holm: of two models over all pairs and tasks of the run, of two runs over tasks. */
      tasks: z.array(effect.extend({ task: z.string(), holm: z.number() })),
      /** The mean of these tasks, and the difference on such tasks in general; null: of one task. */
      mean: estimate.nullable(),
      general: estimate.nullable(),
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
      /** Shared items by joint outcome; an item is correct if all its samples are. */
      joint: z.object({ both: count, onlyA: count, onlyB: count, neither: count }),
      /** Some items on which exactly one is correct. */
      items: z.array(
        z.object({
          item: z.string(),
          index: count,
          task: z.string(),
          question: z.string(),
          truth: z.string(),
          a: said,
          b: said,
        }),
      ),
    })
    .nullable(),
})
export type CompareDocument = z.infer<typeof compareDocument>
