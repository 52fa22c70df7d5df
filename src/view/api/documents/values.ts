import { z } from 'zod'
import type { Json } from '../../../core/index.ts'

export const json = z.json() as z.ZodType<Json>

export const count = z.int().min(0)

/** How many responses are no answer, and why. */
export const troubles = { unparsed: count, truncated: count, refused: count, failed: count }

export const estimate = z.object({
  value: z.number(),
  low: z.number(),
  high: z.number(),
  n: z.number(),
  method: z.string(),
  groups: count.optional(),
})
export type ShownEstimate = z.infer<typeof estimate>

const column = z.object({
  key: z.string(),
  label: z.string(),
  unit: z.string().optional(),
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
  unit: z.string().optional(),
  scale: z.enum(['linear', 'log', 'category']).optional(),
  count: z.string().optional(),
  order: z.string().optional(),
})

/** A figure as data over the rows of a table. */
export const figure = z.object({
  id: z.string(),
  title: z.string(),
  table: z.string(),
  only: z.object({ column: z.string(), value: z.string() }).optional(),
  x: axis,
  y: axis,
  facet: z.string().optional(),
  marks: z.array(
    z.object({
      kind: z.enum(['point', 'line', 'bar', 'box', 'rule', 'interval', 'cell', 'text', 'reference']),
      x: z.string().optional(),
      y: z.string().optional(),
      series: z.string().optional(),
    }),
  ),
})
export type ShownFigure = z.infer<typeof figure>

export const problem = z.object({ shared: json, given: json, answer: json })
