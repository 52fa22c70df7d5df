import { isStoreError, type RunEvent, type RunStore, StoreError } from '../../store/index.ts'

import type { ExecutionContext } from '../schedule/execute-options.ts'

/** Saves what comes of calls; what cannot be saved is kept for one more try after all calls have ended. */
export class EventWriter {
  private readonly ledger: RunStore
  private readonly fail: (error: unknown) => void
  /** Nothing more is being saved. */
  private readonly idle: () => void
  private unsaved: RunEvent[] = []
  private saving = 0

  constructor(ledger: RunStore, on: { readonly fail: (error: unknown) => void; readonly idle: () => void }) {
    this.ledger = ledger
    this.fail = on.fail
    this.idle = on.idle
  }

  get busy(): boolean {
    return this.saving > 0
  }

  save(events: readonly RunEvent[]): void {
    this.saving++
    this.ledger.commit(events).then(
      () => this.saved(),
      (error: unknown) => {
        this.unsaved.push(...events)
        this.fail(error)
        this.saved()
      },
    )
  }

  private saved(): void {
    this.saving--
    if (this.saving === 0) this.idle()
  }

  /**
   * One more try, in the disk space that was reserved for it.
   * @throws the first error, with the number of lost responses
   */
  async flushOrThrow(place: ExecutionContext, error: unknown): Promise<never> {
    try {
      await place.release()
      await this.ledger.commit(this.unsaved)
      this.unsaved = []
    } catch {
      // The error below says how many are lost.
    }
    const lost = this.unsaved.filter((event) => event.kind === 'response').length
    if (lost === 0 || !isStoreError(error)) throw error
    throw new StoreError(error.code, `${error.message}; ${lost} responses that came in meanwhile could not be saved`, {
      cause: error,
    })
  }
}
