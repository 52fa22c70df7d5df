import type { z } from 'zod'
import type { HeaderMap } from '../http.ts'

/** Why a string could not be scored. */
export type ScoringFault =
  /** The spec or an option is wrong. */
  | 'usage'
  /** An optional package or a file is absent. */
  | 'missing'
  /** The model or server cannot give log-probabilities of a given string. */
  | 'cannot-score'
  /** No token starts where the string starts or ends where it ends. */
  | 'boundary'
  /** The answer is not what the protocol says: HTML, NaN, positive log-probabilities, too few entries. */
  | 'bad-answer'
  /** The answer is longer than what is read of one. */
  | 'too-large'
  /** The server refused or could not be reached. */
  | 'http'

/** A string that could not be scored; never a made-up number instead. */
export class ScoringError extends Error {
  override readonly name = 'ScoringError'
  readonly fault: ScoringFault
  /** HTTP status, where there was one. */
  readonly status: number | null
  /** Is the same request worth another try? */
  readonly retryable: boolean
  /** Headers of the answer, by lower-case name: how long to wait, and which request it was. */
  readonly headers: HeaderMap
  /** Did the connection fail before anything was sent? */
  readonly unsent: boolean

  constructor(
    fault: ScoringFault,
    message: string,
    http: {
      readonly status: number | null
      readonly retryable: boolean
      readonly headers?: HeaderMap
      readonly unsent?: boolean
    } | null = null,
  ) {
    super(message)
    this.fault = fault
    this.status = http?.status ?? null
    this.retryable = http?.retryable ?? false
    this.headers = http?.headers ?? {}
    this.unsent = http?.unsent ?? false
  }
}

/** The same of a string for which something was answered before: not all of its requests were never sent. */
export const afterAnswers = (error: unknown): unknown =>
  error instanceof ScoringError && error.unsent
    ? new ScoringError(error.fault, error.message, { ...error, unsent: false })
    : error

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
