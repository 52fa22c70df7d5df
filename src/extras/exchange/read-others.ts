import { z } from 'zod'
import { schemaErrorMap } from '../../core/index.ts'
import type { ExternalResponse } from './external-response.ts'

const document = z.looseObject({ item: z.string(), style: z.string().optional() })
const lmEval = z.looseObject({
  doc: document,
  resps: z.array(z.array(z.string()).min(1)).min(1),
  filter: z.string().optional(),
})

/** A line of `samples_*.jsonl` of lm-evaluation-harness; the same answers stand there once a filter. */
export function lmEvalLine(value: unknown, model: string): readonly ExternalResponse[] {
  const { doc, resps } = lmEval.parse(value, { error: schemaErrorMap })
  return resps.flat().map((text, sample) => ({ item: doc.item, style: doc.style, model, sample, text }))
}

const promptfoo = z.looseObject({
  results: z.looseObject({
    results: z.array(
      z.looseObject({
        provider: z.union([z.string(), z.looseObject({ id: z.string() })]).optional(),
        testCase: z.looseObject({ metadata: z.looseObject({ item: z.string(), style: z.string().optional() }) }),
        response: z.looseObject({ output: z.unknown().optional() }).nullish(),
        error: z.string().nullish(),
      }),
    ),
  }),
})

/** The responses of `promptfoo eval --output results.json`. */
export function promptfooResponses(value: unknown): readonly ExternalResponse[] {
  return promptfoo
    .parse(value, { error: schemaErrorMap })
    .results.results.map(({ provider, testCase, response, error }) => {
      const model = typeof provider === 'string' ? provider : provider?.id
      const output = response?.output
      const text = typeof output === 'string' ? output : undefined
      return { ...testCase.metadata, model, text, missing: text === undefined ? (error ?? 'no output') : undefined }
    })
}

/** A row of a CSV file: item, text, and where they are there style, model, sample. An empty cell is no answer: who filled in the others left it out. */
export function csvResponse(row: { readonly [column: string]: string }): ExternalResponse {
  const { item, style = '', model = '', sample = '', text = row['answer'] } = row
  const named = { item, style, model: model === '' ? undefined : model }
  if (text === undefined) return { ...named, missing: `no column "text"; there are ${Object.keys(row).join(', ')}` }
  if (text === '') return { ...named, missing: 'the cell of the text is empty' }
  return { ...named, sample: sample === '' ? undefined : Number(sample), text }
}
