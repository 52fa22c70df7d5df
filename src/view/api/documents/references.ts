import { z } from 'zod'
import { json } from './values.ts'

/** Reference lines of some items; null: unknown. */
const lines = {
  /** Chance baseline. */
  chance: z.number().nullable(),
  /** Accuracy of the best heuristic. */
  guess: z.number().nullable(),
}

/** Reference lines of each condition of the overview. */
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
  /** The best heuristic over all items; null: the task has none. */
  rule: z.string().nullable(),
  cells: z.array(z.object({ x: json, y: json, ...lines })),
})
export type ReferencesByFeature = z.infer<typeof referencesByFeature>
