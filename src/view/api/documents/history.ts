import { z } from 'zod'
import { count, estimate } from './values.ts'

/** A run as a point of the trend of its experiment. */
export const history = z.object({
  schema: z.literal('touchstone/view-history/1'),
  /** Equal for runs of the same items, prompts and limits. */
  same: z.string(),
  models: z.array(
    z.object({
      model: z.string(),
      /** Mean accuracy over conditions; null: no response is graded. */
      mean: estimate.nullable(),
      planned: count,
      unparsed: count,
      truncated: count,
      refused: count,
      failed: count,
      usd: z.number().nullable(),
      /** Median of a response. */
      seconds: z.number().nullable(),
      /** This run − the one before on shared items; null: none is named, or they share too little. `significant` by Holm over models. */
      change: z.object({ difference: estimate, significant: z.boolean() }).nullable(),
    }),
  ),
})
export type History = z.infer<typeof history>
