import type { Ledger } from '../../store/index.ts'
import type { StartExtension } from '../extensions.ts'

/** For whom and within which limits a run is executed. */
export interface ExecutionContext {
  /** Name of the owner of leases. */
  readonly owner: string
  readonly leaseMs: number
  /** US dollars; null: no limit, or the store keeps to it. */
  readonly costLimit: number | null
  /** US dollars that earlier processes booked. */
  readonly booked: number
  /** What earlier processes booked and scored; null: other workers' results are not read. */
  readonly earlier: Pick<Ledger, 'bookedUsdByModel' | 'latestOutcomes'> | null
  readonly extensions: readonly StartExtension[]
  /** Writes down now and then how far the run is. */
  recordProgress(): Promise<void>
  /** Frees the disk space that was reserved for saving what is in flight. */
  release(): Promise<void>
}
