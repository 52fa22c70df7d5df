import { z } from 'zod'
import { count, estimate, json } from './values.ts'

/** What every feature of a task does to accuracy, the clearest first. */
export const effects = z.object({
  schema: z.literal('touchstone/view-effects/1'),
  task: z.string().nullable(),
  parser: z.string(),
  /** The model with the highest accuracy, whose curves are given; null: no response is graded. */
  leading: z.string().nullable(),
  /** Items and groups of the task. */
  items: count,
  groups: count,
  features: z.array(
    z.object({
      name: z.string(),
      /** p that accuracy does not depend on it, over all models, by Holm over the features of the task; null: not known. */
      p: z.number().nullable(),
      /** Change of accuracy per unit of a number, by model. */
      slopes: z.array(z.object({ model: z.string(), slope: z.number() })),
      /** Accuracy of the leading model at each level, in order. */
      curve: z.array(z.object({ x: json, share: estimate })),
      /** Why it is not drawn; empty: it is. */
      hidden: z.string(),
    }),
  ),
})
export type Effects = z.infer<typeof effects>
