import { z } from 'zod'
import { ScoringError } from './error.ts'
import type { GgufOptions } from './llama.ts'

const count = z
  .string()
  .regex(/^[1-9]\d{0,8}$/u, 'a whole number above 0')
  .transform(Number)
const schema = z.strictObject({
  contextSize: count.optional(),
  threads: count.optional(),
  gpu: z.enum(['off', 'auto', 'cuda', 'metal', 'vulkan']).optional(),
})

/** `FILE?contextSize=8192&threads=4&gpu=auto`: the file, and how it is run. @throws ScoringError */
export function ggufSpec(spec: string): {
  readonly file: string
  readonly asked: Pick<GgufOptions, 'contextSize' | 'threads' | 'gpu'>
} {
  // A question mark may be part of a file's name: options are what looks like them.
  const [, file = spec, query = ''] = /^(.*)\?(\w+=[^?]*)$/su.exec(spec) ?? []
  const parsed = schema.safeParse(Object.fromEntries(new URLSearchParams(query)))
  if (parsed.success) {
    const given = Object.entries(parsed.data).filter(([, value]) => value !== undefined)
    return { file, asked: Object.fromEntries(given) }
  }
  const [issue] = parsed.error.issues
  throw new ScoringError(
    'usage',
    `${spec}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'wrong'}; options: contextSize, threads, gpu (${schema.shape.gpu.unwrap().options.join(', ')})`,
  )
}
