import type { RemoteState } from '../../models/index.ts'
import type { OpenBatch } from '../../store/index.ts'
import type { Cause } from '../breaker.ts'

/** Looks in a row at a batch in a state that nobody here knows, before it is not waited for any more: ten minutes, as a rule. */
const LOOKS = 20

/**
 * Batches in states that this version does not know. Such a batch may be computed still, or be paid and over: it is neither sent
 * again nor given up, and not waited for for ever.
 */
export class UnknownStates {
  private readonly seen = new Map<string, { readonly status: string; readonly since: number; readonly looks: number }>()
  private readonly settlingMs: number

  /** @param settlingMs - for which it is waited at least, however often is looked. */
  constructor(settlingMs: number) {
    this.settlingMs = settlingMs
  }

  saw(remote: string, { kind, status }: RemoteState): void {
    if (kind !== 'unknown') this.seen.delete(remote)
    else {
      const before = this.seen.get(remote)
      this.seen.set(remote, { status, since: before?.since ?? performance.now(), looks: (before?.looks ?? 0) + 1 })
    }
  }

  /** Why none of these batches is waited for; null: one still is. */
  causeOf(open: readonly OpenBatch[]): Cause | null {
    const states = open.map(({ remote }) => (remote === null ? undefined : this.seen.get(remote)))
    const [first] = states
    const late = performance.now() - this.settlingMs
    const over = states.every((state) => state !== undefined && state.looks >= LOOKS && state.since <= late)
    if (first === undefined || !over) return null
    return {
      kind: 'repeated',
      code: 'batch-state',
      message: `batch ${open[0]?.remote} is in the state ${JSON.stringify(first.status.slice(0, 60))}, which this version does not know; after ${LOOKS} looks it is not waited for, and nothing of it is sent again: its lines stay booked`,
      next: 'see what the provider says of the batch; when it is over, go on, or update the program',
      again: false,
    }
  }
}
