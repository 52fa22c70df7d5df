import { z } from 'zod'
import { subsetSize } from './overview.ts'
import { count, estimate, json } from './values.ts'

/** Models of one picture or table: more cannot be told apart, so of more the first are shown, or those that are asked for. */
export const MODELS_SHOWN = 14

/** What one response can be measured by: tokens read, written and thought, seconds, US dollars. */
export const tokenMeasures = ['reasoning', 'answer', 'prompt', 'usd', 'seconds'] as const

export const tokenMeasure = z.enum(tokenMeasures)
export type TokenMeasure = z.infer<typeof tokenMeasure>

/** Means over the responses of a few cells for which each is known; null: for none. */
const amounts = z.object({
  prompt: z.number().nullable(),
  answer: z.number().nullable(),
  reasoning: z.number().nullable(),
  seconds: z.number().nullable(),
  usd: z.number().nullable(),
})

/** Means with their intervals, over the responses for which each is known; null: for none. */
const meanAmounts = z.object({
  prompt: estimate.nullable(),
  answer: estimate.nullable(),
  reasoning: estimate.nullable(),
  seconds: estimate.nullable(),
  usd: estimate.nullable(),
})

export const tokenOutcomes = ['right', 'wrong', 'unread'] as const

export const tokensDocument = z.object({
  schema: z.literal('touchstone/view-tokens/1'),
  /** null: all items. */
  subsetSize: subsetSize.nullable(),
  /** What is drawn; null: no response of the run tells anything. */
  measure: tokenMeasure.nullable(),
  /** What is known of at least one response. */
  measures: z.array(tokenMeasure),
  x: z.string().nullable(),
  configs: z.array(
    z.object({
      task: z.string(),
      config: z.string(),
      style: z.string(),
      model: z.string(),
      cells: count,
      /** Cells whose output is counted. */
      known: count,
      /** Independent groups of items behind the means. */
      groups: count,
      /** US dollars in all; null: not known of any. */
      paid: z.number().nullable(),
      means: meanAmounts,
    }),
  ),
  /** Whose readings tell right from wrong. */
  parser: z.string(),
  /** The mean of the measure over answers that came out so; `unread`: unparsed, truncated or refused. */
  outcomes: z.array(z.object({ model: z.string(), outcome: z.enum(tokenOutcomes), mean: estimate, groups: count })),
  spread: z
    .object({
      /** Where bars begin and end: one more than bars. */
      edges: z.array(z.number()),
      models: z.array(
        z.object({
          model: z.string(),
          n: count,
          /** The 10th, 50th and 90th percentile. */
          low: z.number(),
          middle: z.number(),
          high: z.number(),
          bins: z.array(count),
        }),
      ),
    })
    .nullable(),
  levels: z.array(z.object({ model: z.string(), x: json, mean: estimate, groups: count })),
  /** Means over the feature that are too many to be seen; null: they are all here. */
  crowded: count.nullable(),
  /** Items with the highest means first. */
  dearest: z.array(
    z.object({
      item: z.string(),
      index: count,
      task: z.string(),
      models: z.array(z.object({ model: z.string(), cells: count, means: amounts })),
    }),
  ),
})
export type TokensDocument = z.infer<typeof tokensDocument>
