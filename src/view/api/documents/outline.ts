import { z } from 'zod'
import { runSummary } from './folders.ts'
import { json } from './values.ts'

/** What a run asked and who reads it. */
export const outline = z.object({
  schema: z.literal('touchstone/view-outline/1'),
  run: runSummary,
  /** Empty: strings were scored, and nothing is read. */
  parsers: z.array(z.string()),
  /** What items are, with the first levels of each, whether there are more, the tasks whose items differ in it, and those that say it makes them hard. */
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
  /** Numbers that items can be chosen by, with their ends: features, and what responses took or got. */
  numbers: z.array(
    z.object({ of: z.enum(['feature', 'amount']), name: z.string(), least: z.number(), most: z.number() }),
  ),
})
export type Outline = z.infer<typeof outline>
