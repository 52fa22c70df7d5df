import { setTimeout as sleep } from 'node:timers/promises'
import type { Desk } from '../desk.ts'
import type { BatchLane } from './batch-lane.ts'
import type { BatchEnd, BatchOptions } from './batch-options.ts'

/** Ms between two looks whether a model's batches are left to others. */
const LOOK_MS = 2000

/**
 * Works on the batches of one model: where workers share the run, as soon as no other looks after them. Who waits takes over when that
 * one dies.
 *
 * @throws what the store throws
 */
export async function keptWork(lane: BatchLane, { run, meter }: Desk, options: BatchOptions): Promise<BatchEnd> {
  const { owner, leaseMs, stop, wait } = options
  const { name } = lane.spec
  const { keeping } = run.ledger
  for (;;) {
    if (keeping === undefined || (await keeping.take(name, owner, leaseMs))) {
      meter.keptElsewhere(name, false)
      const end = await lane.work()
      await keeping?.leave(name, owner)
      if (end !== 'taken-over') return end
    }
    const { waiting, leased, batched } = await run.ledger.counts(name)
    meter.keptElsewhere(name, waiting + leased + batched > 0)
    if (waiting + leased + batched === 0) return 'done'
    if (!wait || stop.aborted) return 'submitted'
    await sleep(LOOK_MS, undefined, { signal: stop }).catch(() => undefined)
  }
}
