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

  constructor(fault: ScoringFault, message: string, http: { status: number | null; retryable: boolean } | null = null) {
    super(message)
    this.fault = fault
    this.status = http?.status ?? null
    this.retryable = http?.retryable ?? false
  }
}
