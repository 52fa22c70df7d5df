import { z } from 'zod'
import { count, json } from './values.ts'

/** What one model made of one item: how many samples ended how. */
const tally = z.object({
  model: z.string(),
  samples: count,
  right: count,
  wrong: count,
  unparsed: count,
  failed: count,
  /** Truncated, refused or only measured. */
  other: count,
  /** What was answered how often, the commonest first; at most three. */
  answers: z.array(z.object({ answer: z.string(), count })),
  /** The mean of the first of the measures, where a string was scored. */
  measured: z.number().nullable(),
})
export type Tally = z.infer<typeof tally>

export const itemsPage = z.object({
  schema: z.literal('touchstone/view-items/1'),
  parser: z.string(),
  models: z.array(z.string()),
  /** The first of the measures of scored strings; null where none were scored. */
  measure: z.string().nullable(),
  /** Some items were asked in several styles: each has a row for every one of them. */
  styled: z.boolean(),
  /** Rows that fit the filters, of how many. */
  total: count,
  all: count,
  /** Prompts that could not be searched: the task installed makes others than those that were asked. */
  lost: count,
  offset: count,
  rows: z.array(
    z.object({
      item: z.string(),
      index: count,
      task: z.string(),
      group: z.string(),
      config: z.string(),
      style: z.string(),
      truth: z.string().nullable(),
      features: z.record(z.string(), json),
      tallies: z.array(tally),
    }),
  ),
})
export type ItemsPage = z.infer<typeof itemsPage>

export type ItemRow = ItemsPage['rows'][number]

/** Where an item stands among those that fit a filter; rows of other styles of it are passed over. */
export const itemNeighbours = z.object({
  schema: z.literal('touchstone/view-neighbours/1'),
  /** Its row, from 0; null: it does not fit. */
  at: count.nullable(),
  total: count,
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type ItemNeighbours = z.infer<typeof itemNeighbours>
