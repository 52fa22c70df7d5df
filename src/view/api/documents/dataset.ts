import { z } from 'zod'
import { datasetSummary } from './folders.ts'
import { count, json } from './values.ts'

export const datasetDocument = z.object({
  schema: z.literal('touchstone/view-dataset/1'),
  dataset: datasetSummary,
  config: json,
  seed: z.string().nullable(),
  version: count,
  empty: z.object({ proved: count, notFound: count }),
  salted: z.boolean(),
  /** First index and number of indices, empty ones included. */
  first: count,
  indices: count,
  strata: z.object({
    factors: z.array(z.string()),
    filled: z.array(z.object({ levels: z.array(json), count })),
    empty: z.array(z.object({ levels: z.array(json), proof: z.string(), count })),
    notFound: z.array(z.object({ levels: z.array(json), reason: z.string(), tries: count })),
  }),
  files: z.array(z.object({ file: z.string(), count, sha256: z.string() })),
  /** audit.json; null: missing, false: not JSON. */
  audit: json,
})
export type DatasetDocument = z.infer<typeof datasetDocument>
