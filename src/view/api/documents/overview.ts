import { z } from 'zod'
import { runSummary } from './folders.ts'
import { count, table } from './values.ts'

/** Some of the items, selected by what they are; intervals are made for so many choices. */
export const subsetSize = z.object({ items: count, all: count, views: z.int().min(1) })
export type SubsetSize = z.infer<typeof subsetSize>

export const overview = z.object({
  schema: z.literal('touchstone/view-overview/1'),
  run: runSummary,
  /** null: all items. */
  subsetSize: subsetSize.nullable(),
  parsers: z.array(z.string()),
  /** The very tables of the report: those of accuracy, of measures and of pairs, where the rows allow them. */
  tables: z.array(table),
  skipped: z.array(z.object({ id: z.string(), reason: z.string() })),
})
export type Overview = z.infer<typeof overview>
