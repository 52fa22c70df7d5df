import { z } from 'zod'
import { count, estimate, json } from './values.ts'

export const byFeature = z.object({
  schema: z.literal('touchstone/view-by-feature/1'),
  x: z.string(),
  y: z.string().nullable(),
  parser: z.string(),
  /** Bins of x if it has many values, named by the value in the middle. Empty: every value is shown. */
  bins: z.array(z.object({ at: z.number(), low: z.number(), high: z.number() })),
  cells: z.array(z.object({ model: z.string(), x: json, y: json, share: estimate, groups: count })),
})
export type ByFeature = z.infer<typeof byFeature>

const part = z.object({ share: estimate, groups: count })

/** Accuracy of the models in a subset of items, and in the rest of the items with the same features. */
export const subsetAndRest = z.object({
  schema: z.literal('touchstone/view-subset-and-rest/1'),
  parser: z.string(),
  /** The number of subsets viewed; each interval holds with 1 - 0.05 / views. */
  views: z.int().min(1),
  models: z.array(
    z.object({
      model: z.string(),
      /** null: no graded response. */
      inside: part.nullable(),
      outside: part.nullable(),
      /** Subset − rest, and p of this comparison alone; null: a side has fewer than two groups. */
      gap: z.object({ difference: estimate, p: z.number() }).nullable(),
    }),
  ),
})
export type SubsetAndRest = z.infer<typeof subsetAndRest>
