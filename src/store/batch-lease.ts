import type { RunEvent } from './run-store.ts'

/**
 * Which worker polls the batches of a model: one at a time. A lease ends by the clock of the store unless it is renewed;
 * a worker that stood still for longer has lost it.
 */
export interface BatchLease {
  /** Takes the lease for `ms` if no other worker has it. @returns whether it is this owner's now */
  acquire(model: string, owner: string, ms: number): Promise<boolean>
  /** Extends the lease by `ms` if it is still this owner's, without a break since it was acquired. */
  renew(model: string, owner: string, ms: number): Promise<boolean>
  /** Writes events of batch lines in one transaction. @returns false: nothing is written, since the lease is lost */
  commit(model: string, owner: string, events: readonly RunEvent[]): Promise<boolean>
  /** Gives the lease back. */
  release(model: string, owner: string): Promise<void>
}
