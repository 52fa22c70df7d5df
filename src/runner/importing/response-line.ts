import { z } from 'zod'
import { schemaErrorMap, schemaErrors } from '../../core/index.ts'
import { settingValue } from '../../models/index.ts'
import type { Row, Usage } from '../../store/index.ts'

const count = z.int().min(0).optional()

const line = z.object({
  item: z.string(),
  style: z.string().default(''),
  model: z.string().default('imported'),
  sample: z.int().min(0).default(0),
  text: z.string().max(64 * 1024 * 1024),
  finish: z.enum(['stop', 'truncated', 'refused', 'unknown']).default('unknown'),
  reasoning: z.string().nullable().default(null),
  usage: z.object({ inputTokens: count, outputTokens: count, reasoningTokens: count }).default({}),
  /** Duration of the call. */
  seconds: z.number().min(0).max(86_400).nullable().default(null),
  /** What the model saw, where it is known: it may be another prompt than the task's of today. */
  prompt: z
    .array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
    .min(1)
    .optional(),
  settings: z.record(z.string(), settingValue).optional(),
})

export type ResponseLine = Omit<z.infer<typeof line>, 'usage'> & { readonly usage: Usage }

interface Read {
  readonly kind: 'read'
  readonly response: ResponseLine
}
interface Wrong {
  readonly kind: 'wrong'
  readonly message: string
}

/** Parses one line of a responses file, `{item, style, model, sample, text, finish?, usage?, seconds?, prompt?, settings?}`. */
export function parseImported(row: Row): Read | Wrong {
  const parsed = line.safeParse(row, { error: schemaErrorMap })
  if (!parsed.success)
    return {
      kind: 'wrong',
      message: `a response line is {item, style, model, sample, text, finish?, usage?, seconds?, prompt?, settings?}: ${schemaErrors(parsed.error, line)[0]}`,
    }
  const usage: Usage = Object.fromEntries(Object.entries(parsed.data.usage).filter(([, n]) => n !== undefined))
  return { kind: 'read', response: { ...parsed.data, usage } }
}
