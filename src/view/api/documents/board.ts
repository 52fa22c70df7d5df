import { z } from 'zod'
import { runSummary } from './places.ts'
import { count, table } from './values.ts'

/** Some of the items, chosen by what they are; intervals are made for so many choices. */
export const chosen = z.object({ items: count, all: count, looks: z.int().min(1) })
export type Chosen = z.infer<typeof chosen>

export const board = z.object({
  schema: z.literal('touchstone/view-board/1'),
  run: runSummary,
  /** null: all items. */
  chosen: chosen.nullable(),
  parsers: z.array(z.string()),
  /** The very tables of the report: those of accuracy, of measures and of pairs, where the rows allow them. */
  tables: z.array(table),
  leftOut: z.array(z.object({ id: z.string(), reason: z.string() })),
})
export type Board = z.infer<typeof board>
