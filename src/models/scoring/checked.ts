import type { z } from 'zod'
import { ScoringError } from './error.ts'

/** What a server answered, as it must be to score. @throws ScoringError naming what is missing. */
export function checked<T>(schema: z.ZodType<T>, json: unknown, where: string): T {
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw new ScoringError(
    'cannot-score',
    `the answer has no ${where} as expected (${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'})`,
  )
}
