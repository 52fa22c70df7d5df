import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from '../../core/index.ts'
import { type Batching, batchingOf } from '../../models/batching/index.ts'
import type { Model } from '../../models/index.ts'
import type { RunServices } from '../../runner/schedule/execute-options.ts'
import type { KnownBatchIds } from './batch-ids.ts'
import type { BatchQueue } from './batch-queue.ts'

export interface BatchOptions {
  /** Who holds the batch leases, and for how many ms without a sign of life. */
  readonly owner: string
  readonly leaseMs: number
  /** Ms between two polls of a batch. */
  readonly pollMs: number
  /** Ms within which a provider may not yet show a batch or a result, however often it is polled. */
  readonly settlingMs: number
  /** false: submits what can be submitted, and waits for nothing. */
  readonly wait: boolean
  /** Submits nothing more, cancels open batches, and puts the calls they leave back to waiting. */
  readonly cancel: boolean
  readonly knownBatchIds: KnownBatchIds
  /** No further batch is submitted, and nothing is waited for. */
  readonly stop: AbortSignal
  /** Requests about batches are aborted, too. */
  readonly abort: AbortSignal
  readonly random?: (() => number) | undefined
}

/** How the batches of a model ended for now; `cost-limit`: the cost limit is reached. */
export type BatchEnd = 'completed' | 'cost-limit' | 'batches-pending'

/** Ms between two tries to get a batch lease that another worker holds. */
const LEASE_CHECK_MS = 2000

/**
 * Works on the batches of one model as soon as no other worker holds their lease: who waits takes over when that worker
 * dies.
 *
 * @throws what the store throws
 */
export async function workUnderLease(
  queue: BatchQueue,
  { run, meter }: RunServices,
  options: BatchOptions,
): Promise<BatchEnd> {
  const { owner, leaseMs, stop, wait } = options
  const { name } = queue.spec
  const { batchLease } = run.ledger
  for (;;) {
    if (await batchLease.acquire(name, owner, leaseMs)) {
      meter.keptElsewhere(name, false)
      const end = await queue.work()
      await batchLease.release(name, owner)
      if (end !== 'lease-lost') return end
    }
    const { waiting, leased, batched } = await run.ledger.counts(name)
    meter.keptElsewhere(name, waiting + leased + batched > 0)
    if (waiting + leased + batched === 0) return 'completed'
    if (!wait || stop.aborted) return 'batches-pending'
    await sleep(LEASE_CHECK_MS, undefined, { signal: stop }).catch(() => undefined)
  }
}

/** @throws UsageError for a model whose provider has no batch API. */
export function requireBatching(model: Model): Batching {
  const batching = batchingOf(model)
  if (batching !== undefined) return batching
  throw new UsageError(
    `${model.name} cannot be asked in batches: openai, openai-responses, anthropic and google models can; leave "batch" out for it`,
  )
}

/** Another worker has the batch lease by now: nothing more is done with these batches here. */
export class LeaseLost extends Error {}
