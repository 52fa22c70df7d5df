/** What a server says no with; anything else that is thrown is its own fault and becomes a 500 without details. */
export class HttpError extends Error {
  readonly kind = 'refusal'
  override readonly name = 'Refusal'
  readonly status: RefusalStatus
  readonly code: string

  constructor(status: RefusalStatus, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

type RefusalStatus = 400 | 401 | 403 | 404 | 408 | 413 | 415 | 422 | 503
