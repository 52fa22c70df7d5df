import { z } from 'zod/mini'
import { subsetSize } from './folders.ts'
import { count, estimate, figure, json, table } from './values.ts'

/** Most models in one figure or table; further ones are on other pages of models. */
export const MODELS_SHOWN = 14

/** Metrics of one response: tokens, US dollars, seconds. */
export const tokenMeasures = ['reasoning', 'answer', 'prompt', 'usd', 'seconds'] as const

export const tokenMeasure = z.enum(tokenMeasures)
export type TokenMeasure = z.infer<typeof tokenMeasure>

/** Means over responses; null: unknown for all. */
const amounts = z.record(tokenMeasure, z.nullable(z.number()))
const meanAmounts = z.record(tokenMeasure, z.nullable(estimate))

export const tokenOutcomes = ['correct', 'incorrect', 'no prediction'] as const

export const tokensDocument = z.object({
  schema: z.literal('touchstone/view-tokens/1'),
  /** null: all items. */
  subsetSize: z.nullable(subsetSize),
  /** The metric shown; null: the run has none. */
  measure: z.nullable(tokenMeasure),
  measures: z.array(tokenMeasure),
  x: z.nullable(z.string()),
  configs: z.array(
    z.object({
      task: z.string(),
      config: z.string(),
      style: z.string(),
      model: z.string(),
      cells: count,
      /** Responses with a token count. */
      known: count,
      /** Independent groups of items behind the means. */
      groups: count,
      /** Total US dollars; null: unknown. */
      paid: z.nullable(z.number()),
      means: meanAmounts,
    }),
  ),
  parser: z.string(),
  /** Mean of the metric by outcome; `no prediction`: unparsed, truncated or refused. */
  outcomes: z.array(z.object({ model: z.string(), outcome: z.enum(tokenOutcomes), mean: estimate, groups: count })),
  spread: z.nullable(
    z.object({
      /** Edges of the bars: one more than bars. */
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
    }),
  ),
  levels: z.array(z.object({ model: z.string(), x: json, mean: estimate, groups: count })),
  /** Number of means if there are too many to show; null: all are here. */
  crowded: z.nullable(count),
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

/** Tasks of scored strings, with the results of their analyses for the page of tokens. */
export const loglikelihood = z.object({
  schema: z.literal('touchstone/view-loglikelihood/1'),
  tasks: z.array(z.string()),
  analyses: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      task: z.string(),
      notes: z.array(z.string()),
      tables: z.array(table),
      figures: z.array(figure),
    }),
  ),
})
export type Loglikelihood = z.infer<typeof loglikelihood>
