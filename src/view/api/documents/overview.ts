import { z } from 'zod'
import { runSummary } from './folders.ts'
import { count, table } from './values.ts'

/** Size of a subset, and the number of subsets viewed that intervals account for. */
export const subsetSize = z.object({ items: count, all: count, views: z.int().min(1) })
export type SubsetSize = z.infer<typeof subsetSize>

export const overview = z.object({
  schema: z.literal('touchstone/view-overview/1'),
  run: runSummary,
  /** null: all items. */
  subsetSize: subsetSize.nullable(),
  parsers: z.array(z.string()),
  /** Tables of the report on accuracy, metrics and pairs. */
  tables: z.array(table),
  skipped: z.array(z.object({ id: z.string(), reason: z.string() })),
})
export type Overview = z.infer<typeof overview>
