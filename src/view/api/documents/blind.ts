import { z } from 'zod'
import { json } from './values.ts'

/** What needs no reasoning, of some items; null: it is not known. */
const blind = {
  /** Share of the possible answers that are right. */
  chance: z.number().nullable(),
  /** What the best rule of thumb of the task gets right. */
  guess: z.number().nullable(),
}

/** What needs no reasoning, beside each set of items that a board has accuracies of. */
export const blindDocument = z.object({
  schema: z.literal('touchstone/view-blind/1'),
  sets: z.array(
    z.object({ task: z.string(), config: z.string(), style: z.string(), ...blind, rule: z.string().nullable() }),
  ),
})
export type BlindDocument = z.infer<typeof blindDocument>

/** The same at each place of one or two features. */
export const blindSurface = z.object({
  schema: z.literal('touchstone/view-blind-surface/1'),
  /** The rule of thumb that does best on all of them; null: the task has none. */
  rule: z.string().nullable(),
  cells: z.array(z.object({ x: json, y: json, ...blind })),
})
export type BlindSurface = z.infer<typeof blindSurface>
