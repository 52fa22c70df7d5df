import { z } from 'zod'
import { type Message, schemaErrorMap } from '../../core/index.ts'
import type { ExternalResponse } from './external-response.ts'

const asked = (prompt: string): readonly Message[] => [{ role: 'user', content: prompt }]

/** A line of `samples_*.jsonl` of lm-evaluation-harness, of any task. */
export const lmEvalSample = z.looseObject({
  doc_id: z.union([z.number(), z.string()]),
  doc: z.record(z.string(), z.json()).catch({}),
  target: z.unknown(),
  /** What was sent: the prompt is the first argument, alone or in a list. */
  arguments: z.unknown().optional(),
  resps: z.array(z.unknown()),
  filtered_resps: z.array(z.unknown()).optional(),
  filter: z.string().optional(),
  metrics: z.array(z.string()).optional(),
  doc_hash: z.string().optional(),
})
const ours = z.looseObject({ item: z.string(), style: z.string().optional() })
const lmEvalOurs = lmEvalSample
  .pick({ arguments: true })
  .extend({ doc: ours, resps: z.array(z.array(z.string()).min(1)).min(1) })

/** A line of `samples_*.jsonl` of lm-evaluation-harness; the same answers stand there once a filter. */
export function lmEvalLine(value: unknown, model: string): readonly ExternalResponse[] {
  const { doc, arguments: sent, resps } = lmEvalOurs.parse(value, { error: schemaErrorMap })
  const prompt = firstText(sent)
  const more = prompt === null ? {} : { prompt: asked(prompt) }
  return resps.flat().map((text, sample) => ({ item: doc.item, style: doc.style, model, sample, text, ...more }))
}

/** The first text, at most three levels deep: `[[prompt, options]]`, or `{gen_args_0: {arg_0: prompt}}`. */
export function firstText(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || depth > 2) return null
  return firstText(Object.values(value)[0], depth + 1)
}

/** One result of promptfoo, of any test. */
export const promptfooSchema = z.looseObject({
  provider: z.union([z.string(), z.looseObject({ id: z.string(), label: z.string().nullish() })]).optional(),
  prompt: z
    .union([z.string(), z.looseObject({ raw: z.string().nullish(), label: z.string().nullish() })])
    .nullish()
    .catch(null),
  promptIdx: z.number().nullish(),
  vars: z.record(z.string(), z.json()).nullish(),
  testCase: z
    .looseObject({
      description: z.string().nullish(),
      vars: z.record(z.string(), z.json()).nullish(),
      metadata: z.record(z.string(), z.json()).nullish(),
    })
    .nullish(),
  metadata: z.record(z.string(), z.json()).nullish().catch(null),
  response: z
    .looseObject({
      output: z.unknown().optional(),
      tokenUsage: z.looseObject({ prompt: z.number().nullish(), completion: z.number().nullish() }).nullish(),
    })
    .nullish(),
  score: z.number().nullish(),
  success: z.boolean().nullish(),
  namedScores: z.record(z.string(), z.unknown()).nullish(),
  failureReason: z.unknown().optional(),
  error: z.string().nullish(),
})
const results = z.array(z.unknown())
const document = z.looseObject({ results: z.union([z.looseObject({ results }), results]) })

/** The results of `promptfoo eval --output results.json`; of `.jsonl`, each line is one. Tests of others are counted, not read. @throws ZodError */
export function promptfooResults(value: unknown): readonly unknown[] {
  const { results: found } = document.parse(value, { error: schemaErrorMap })
  return Array.isArray(found) ? found : found.results
}

/** One result of promptfoo. */
export function promptfooResult(value: unknown): ExternalResponse {
  const read = promptfooSchema.parse(value, { error: schemaErrorMap })
  const named = [read.testCase?.metadata, read.metadata].map((one) => ours.safeParse(one).data).find(Boolean)
  if (named === undefined) return { missing: 'a test of somebody else: its metadata names no item' }
  const model = typeof read.provider === 'string' ? read.provider : read.provider?.id
  const output = read.response?.output
  const { item, style } = named
  const prompt = typeof read.prompt === 'string' ? read.prompt : read.prompt?.raw
  const other = output == null ? 'no output' : 'the output is not text'
  if (typeof output !== 'string') return { item, style, model, missing: read.error ?? other }
  return { item, style, model, text: output, ...(prompt == null ? {} : { prompt: asked(prompt) }) }
}

/**
 * A row of a CSV file: item, text, and where they are there style, model, sample, prompt. An empty cell is no answer: who filled in the
 * others left it out.
 */
export function csvResponse(row: { readonly [column: string]: string }): ExternalResponse {
  const { item, style = '', model = '', sample = '', prompt = '', text = row['answer'] } = row
  const named = { item, style, model: model === '' ? undefined : model }
  if (text === undefined) return { ...named, missing: `no column "text"; there are ${Object.keys(row).join(', ')}` }
  if (text === '') return { ...named, missing: 'the text is empty' }
  const more = prompt === '' ? {} : { prompt: asked(prompt) }
  return { ...named, sample: sample === '' ? undefined : Number(sample), text, ...more }
}
