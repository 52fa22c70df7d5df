import { isStoreError, type RunEvent, StoreError, type WorkStore } from '../../store/index.ts'

import type { Place } from '../schedule/execution-context.ts'

/** Saves what came of calls; where that cannot be done, keeps it for one try more, after everything has ended. */
export class Saver {
  private readonly ledger: WorkStore
  private readonly fail: (error: unknown) => void
  /** Nothing more is being saved. */
  private readonly idle: () => void
  private unsaved: RunEvent[] = []
  private saving = 0

  constructor(ledger: WorkStore, on: { readonly fail: (error: unknown) => void; readonly idle: () => void }) {
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
   * Once more, in the room that was kept for it.
   * @throws the trouble, with how many responses are lost
   */
  async rest(place: Place, trouble: unknown): Promise<never> {
    try {
      await place.release()
      await this.ledger.commit(this.unsaved)
      this.unsaved = []
    } catch {
      // Told below, with how many are lost.
    }
    const lost = this.unsaved.filter((event) => event.kind === 'response').length
    if (lost === 0 || !isStoreError(trouble)) throw trouble
    throw new StoreError(
      trouble.code,
      `${trouble.message}; ${lost} responses that came in meanwhile could not be saved`,
      { cause: trouble },
    )
  }
}
