import { z } from 'zod'
import type { Choices } from './pilot.ts'

const threshold = z.union([
  z.object({
    kind: z.literal('inside'),
    value: z.number(),
    low: z.number(),
    high: z.number(),
    open: z.enum(['neither', 'low', 'high', 'both']),
  }),
  z.object({ kind: z.literal('outside'), solved: z.enum(['more', 'less']) }),
])
const round = z.object({
  at: z.number(),
  items: z.int().min(0),
  told: z.object({ answers: z.number(), threshold: threshold.nullable() }).nullable(),
})

/** The choices of an adaptive run, as the ledger holds them. */
export const choicesSchema: z.ZodType<Choices> = z.object({
  models: z.array(
    z.object({
      model: z.string(),
      rounds: z.array(round),
      end: z.enum(['known', 'most', 'exhausted']).nullable().exactOptional(),
    }),
  ),
})
