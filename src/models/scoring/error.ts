import type { HeaderMap } from '../failures.ts'

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

  constructor(
    fault: ScoringFault,
    message: string,
    http: { readonly status: number | null; readonly retryable: boolean; readonly headers?: HeaderMap } | null = null,
  ) {
    super(message)
    this.fault = fault
    this.status = http?.status ?? null
    this.retryable = http?.retryable ?? false
    this.headers = http?.headers ?? {}
  }
}
