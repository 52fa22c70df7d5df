import { z } from 'zod/mini'
import type { Json } from '../../../core/index.ts'

export const json = z.json() as z.ZodMiniType<Json>

export const count = z.int().check(z.minimum(0))

/** How many responses are no answer, and why. */
export const troubles = { unparsed: count, truncated: count, refused: count, failed: count }

export const estimate = z.object({
  value: z.number(),
  low: z.number(),
  high: z.number(),
  n: z.number(),
  method: z.string(),
  groups: z.optional(count),
})
export type ShownEstimate = z.infer<typeof estimate>

const column = z.object({
  key: z.string(),
  label: z.string(),
  unit: z.optional(z.string()),
  kind: z.enum(['text', 'number', 'share', 'estimate']),
})

export const table = z.object({
  id: z.string(),
  title: z.string(),
  columns: z.array(column),
  rows: z.array(z.record(z.string(), json)),
})
export type ShownTable = z.infer<typeof table>

const axis = z.object({
  key: z.string(),
  label: z.string(),
  unit: z.optional(z.string()),
  scale: z.optional(z.enum(['linear', 'log', 'category'])),
  isBinned: z.optional(z.boolean()),
})

/** A figure as data over the rows of a table. */
export const figure = z.object({
  id: z.string(),
  title: z.string(),
  table: z.string(),
  only: z.optional(z.object({ column: z.string(), value: z.string() })),
  x: axis,
  y: axis,
  facet: z.optional(z.string()),
  marks: z.array(
    z.object({
      kind: z.enum(['point', 'line', 'bar', 'box', 'rule', 'interval', 'cell', 'text', 'reference']),
      x: z.optional(z.string()),
      y: z.optional(z.string()),
      series: z.optional(z.string()),
    }),
  ),
})
export type ShownFigure = z.infer<typeof figure>

export const problem = z.object({ shared: json, given: json, answer: json })
