import { z } from 'zod'
import { count, estimate, json } from './values.ts'

export const byFeature = z.object({
  schema: z.literal('touchstone/view-by-feature/1'),
  x: z.string(),
  y: z.string().nullable(),
  parser: z.string(),
  /** Where x has many values: the bins of them that were put together, by where their cells stand. Empty: each is by itself. */
  bins: z.array(z.object({ at: z.number(), low: z.number(), high: z.number() })),
  cells: z.array(z.object({ model: z.string(), x: json, y: json, share: estimate, groups: count })),
})
export type ByFeature = z.infer<typeof byFeature>

const part = z.object({ share: estimate, groups: count })

/** How the models do on some of the items, selected by what they are, and on the others that have the same features. */
export const subsetAndRest = z.object({
  schema: z.literal('touchstone/view-subset-and-rest/1'),
  parser: z.string(),
  /** For so many views the intervals are made: each holds with 1 - 0.05 / views. */
  views: z.int().min(1),
  models: z.array(
    z.object({
      model: z.string(),
      /** null: it has no graded answer there. */
      inside: part.nullable(),
      outside: part.nullable(),
      /** Inside less outside, and p of this one look; null: a side has fewer than two groups. */
      gap: z.object({ difference: estimate, p: z.number() }).nullable(),
    }),
  ),
})
export type SubsetAndRest = z.infer<typeof subsetAndRest>
