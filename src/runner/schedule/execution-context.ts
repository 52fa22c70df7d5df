import type { Steering } from '../adaptive/adaptive-sampler.ts'
import type { Lost } from '../batches/batch-ids.ts'
import type { Watch } from '../sequential/sequential-test.ts'

/** Where a run is worked on. */
export interface Place {
  /** Of leases. */
  readonly owner: string
  readonly leaseMs: number
  /** US dollars; null: none, or the store keeps to it. */
  readonly ceiling: number | null
  /** Says now and then how far the run is. */
  note(): Promise<void>
  /** Lets go of the room that was kept for saving what is under way. */
  release(): Promise<void>
  /** US dollars that earlier processes booked. */
  readonly booked: number
  /** Left out: nobody looked. */
  readonly lost?: Lost
  /** null: the run has no rule that ends it. */
  readonly looking: Looking | null
  /** null: what is asked next is not chosen. */
  readonly steering: Steering | null
}

/** A run's rule, and how its looks are written down. */
export interface Looking {
  readonly watch: Watch
  readonly note: () => Promise<void>
}
