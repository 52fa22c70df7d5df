import { z } from 'zod'
import { runSummary } from './folders.ts'
import { count, estimate, table } from './values.ts'

/** Size of a subset, and the number of subsets viewed that intervals account for. */
export const subsetSize = z.object({ items: count, all: count, views: z.int().min(1) })
export type SubsetSize = z.infer<typeof subsetSize>

const verdictLines = z
  .array(z.object({ condition: z.string(), task: z.string(), difference: estimate, settle: z.string() }))
  .readonly()

/** Which model is better at what, as `runVerdict` of the report says it. */
const runVerdict = z.object({
  kind: z.enum(['verdict', 'so-far', 'none']),
  title: z.string(),
  detail: z.string(),
  pair: z.object({ a: z.string(), b: z.string() }).nullable(),
  better: verdictLines,
  worse: verdictLines,
  unclear: verdictLines,
})

export const overview = z.object({
  schema: z.literal('touchstone/view-overview/1'),
  run: runSummary,
  /** null: all items. */
  subsetSize: subsetSize.nullable(),
  parsers: z.array(z.string()),
  /** null: nothing was graded, or the items are selected. */
  verdict: runVerdict.nullable(),
  /** Tables of the report on accuracy, metrics and pairs. */
  tables: z.array(table),
  skipped: z.array(z.object({ id: z.string(), reason: z.string() })),
})
export type Overview = z.infer<typeof overview>
