import { z } from 'zod'
import { runSummary } from './folders.ts'
import { json } from './values.ts'

/** Tasks, features and parsers of a run. */
export const outline = z.object({
  schema: z.literal('touchstone/view-outline/1'),
  run: runSummary,
  /** Empty: all strings were scored by log-probability. */
  parsers: z.array(z.string()),
  /** Features with their first levels, whether there are more, the tasks in which they vary, and those in which they set difficulty. */
  features: z.array(
    z.object({
      name: z.string(),
      type: z.enum(['text', 'number', 'boolean']),
      levels: z.array(json),
      more: z.boolean(),
      tasks: z.array(z.string()),
      hard: z.array(z.string()),
    }),
  ),
  /** Numeric features and metrics of responses with their ranges. */
  numbers: z.array(
    z.object({ of: z.enum(['feature', 'amount']), name: z.string(), least: z.number(), most: z.number() }),
  ),
})
export type Outline = z.infer<typeof outline>
