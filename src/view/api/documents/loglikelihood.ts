import { z } from 'zod'
import { figure, table } from './values.ts'

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
