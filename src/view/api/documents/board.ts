import { z } from 'zod'
import { runSummary } from './places.ts'
import { count, json, table } from './values.ts'

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
  /** What items are, with the first levels of each, whether there are more, and the tasks whose items differ in it. */
  features: z.array(
    z.object({
      name: z.string(),
      type: z.enum(['text', 'number', 'boolean']),
      levels: z.array(json),
      more: z.boolean(),
      tasks: z.array(z.string()),
    }),
  ),
  /** Numbers that items can be chosen by, with their ends: features, and what responses took or got. */
  numbers: z.array(
    z.object({ of: z.enum(['feature', 'amount']), name: z.string(), least: z.number(), most: z.number() }),
  ),
})
export type Board = z.infer<typeof board>
