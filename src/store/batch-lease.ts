import type { RunEvent } from './run-store.ts'

/**
 * Who looks after the batches of a model, where workers share a run: one of them at a time. It is theirs for a time, by the clock of
 * the store, as long as they say that they live; one that stood still for longer has lost it for good.
 */
export interface Keeping {
  /** Takes the batches of a model for `ms`, where nobody looks after them any more. @returns whether they are this owner's now. */
  take(model: string, owner: string, ms: number): Promise<boolean>
  /** Are they this owner's still, without a break since they were taken? Then for `ms` more. */
  hold(model: string, owner: string, ms: number): Promise<boolean>
  /** One transaction with what became of lines of them. @returns false: nothing is written, since they are not this owner's any more. */
  commit(model: string, owner: string, events: readonly RunEvent[]): Promise<boolean>
  /** Leaves them to others. */
  leave(model: string, owner: string): Promise<void>
}
