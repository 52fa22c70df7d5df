import { z } from 'zod'
import { count, json } from './values.ts'

/** Outcomes of the samples of one model on one item. */
const tally = z.object({
  model: z.string(),
  samples: count,
  right: count,
  wrong: count,
  unparsed: count,
  failed: count,
  /** Truncated, refused or scored by log-probability. */
  other: count,
  /** Most frequent predictions, at most three. */
  answers: z.array(z.object({ answer: z.string(), count })),
  /** Mean of the first metric of a scored string. */
  measured: z.number().nullable(),
})
export type Tally = z.infer<typeof tally>

export const itemsPage = z.object({
  schema: z.literal('touchstone/view-items/1'),
  parser: z.string(),
  models: z.array(z.string()),
  /** First metric of scored strings; null: none. */
  measure: z.string().nullable(),
  /** True if some items have several prompt styles; each then has one row per style. */
  styled: z.boolean(),
  /** Rows that match the filter, of all. */
  total: count,
  all: count,
  /** Prompts that could not be searched because the installed task writes other ones. */
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

/** Position of an item among those that match a filter; other styles of it are skipped. */
export const itemNeighbours = z.object({
  schema: z.literal('touchstone/view-neighbours/1'),
  /** Row from 0; null: no match. */
  at: count.nullable(),
  total: count,
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type ItemNeighbours = z.infer<typeof itemNeighbours>
