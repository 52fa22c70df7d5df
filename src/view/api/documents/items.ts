import { z } from 'zod'
import { count, json } from './values.ts'

/** Outcomes of the samples of one model on one item. */
const tally = z.object({
  model: z.string(),
  samples: count,
  right: count,
  wrong: count,
  unparsed: count,
  truncated: count,
  refused: count,
  failed: count,
  /** Mean tokens and seconds of a response; null: unknown. */
  tokens: z.number().nullable(),
  seconds: z.number().nullable(),
  /** Most frequent predictions, at most three. */
  answers: z.array(z.object({ answer: z.string(), count })),
  /** Mean of the first metric of a scored string. */
  measured: z.number().nullable(),
})
export type Tally = z.infer<typeof tally>

export const itemsPage = z.object({
  schema: z.literal('touchstone/view-items/1'),
  parser: z.string(),
  /** Models, with how many of their responses to the items are correct, whatever was selected by what came of them. */
  models: z.array(z.object({ name: z.string(), right: count, of: count })),
  /** Rows that match the other conditions, by what came of them. */
  counts: z.object({
    all: count,
    wrong: count,
    differ: count,
    unparsed: count,
    truncated: count,
    refused: count,
    failed: count,
  }),
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
      /** What is asked, and what is given, in one line each; empty: the prompt cannot be reproduced. */
      question: z.string(),
      given: z.string(),
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
