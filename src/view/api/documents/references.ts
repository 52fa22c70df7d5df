import { z } from 'zod'
import { json } from './values.ts'

/** What needs no reasoning, of some items; null: it is not known. */
const lines = {
  /** Share of the possible answers that are right. */
  chance: z.number().nullable(),
  /** What the best rule of thumb of the task gets right. */
  guess: z.number().nullable(),
}

/** What needs no reasoning, beside each set of items that an overview has accuracies of. */
export const references = z.object({
  schema: z.literal('touchstone/view-references/1'),
  sets: z.array(
    z.object({ task: z.string(), config: z.string(), style: z.string(), ...lines, rule: z.string().nullable() }),
  ),
})
export type References = z.infer<typeof references>

/** The same at each folder of one or two features. */
export const referencesByFeature = z.object({
  schema: z.literal('touchstone/view-references-by-feature/1'),
  /** The rule of thumb that does best on all of them; null: the task has none. */
  rule: z.string().nullable(),
  cells: z.array(z.object({ x: json, y: json, ...lines })),
})
export type ReferencesByFeature = z.infer<typeof referencesByFeature>
