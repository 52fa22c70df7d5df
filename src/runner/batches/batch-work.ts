import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from '../../core/index.ts'
import type { Model } from '../../models/index.ts'
import type { Cause } from '../limits/circuit-breaker.ts'
import type { RunModel } from '../plan/resolve.ts'
import type { Desk } from '../schedule/run-services.ts'
import type { Lost } from './batch-ids.ts'
import { BatchLane } from './batch-queue.ts'

export interface BatchOptions {
  /** Of leases, for so many ms without a sign of life. */
  readonly owner: string
  readonly leaseMs: number
  /** Ms between two looks at a batch that is there. */
  readonly pollMs: number
  /** Ms for which a batch or a result that is there may not be shown, however often it is looked for. */
  readonly settlingMs: number
  /** false: what can be sent off is sent, and nothing is waited for. */
  readonly wait: boolean
  /** Send nothing more, end what is there early, and put what it leaves back to waiting. */
  readonly cancel: boolean
  readonly lost: Lost
  /** No further batch goes out, and nothing is waited for any more. */
  readonly stop: AbortSignal
  /** Calls about batches are aborted too. */
  readonly abort: AbortSignal
  readonly random?: (() => number) | undefined
}

/** How a model's batches ended for now. */
export type BatchEnd = 'done' | 'budget' | 'submitted'

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

/** The models of a run that are asked in batches, all at work at once. */
export class BatchWork {
  private readonly desk: Desk
  private readonly options: BatchOptions
  private readonly lanes: readonly BatchLane[]
  private ends: readonly BatchEnd[] = []

  constructor(
    desk: Desk,
    models: readonly { readonly model: Model; readonly spec: RunModel }[],
    options: BatchOptions,
  ) {
    this.desk = desk
    this.options = options
    this.lanes = models.map(({ model, spec }) => new BatchLane(desk, model, needBatching(model), spec, options))
  }

  async work(): Promise<void> {
    this.ends = await Promise.all(this.lanes.map((lane) => keptWork(lane, this.desk, this.options)))
  }

  ended(how: BatchEnd): boolean {
    return this.ends.includes(how)
  }

  /** Models that are not asked any more, and why. */
  get broken(): readonly (readonly [string, Cause])[] {
    return this.lanes.flatMap(({ spec, broken }) => (broken === null ? [] : [[spec.name, broken] as const]))
  }
}

/** @throws UsageError where a model cannot be asked in batches. */
export function needBatching(model: Model): NonNullable<Model['batching']> {
  if (model.batching !== undefined) return model.batching
  throw new UsageError(
    `${model.name} cannot be asked in batches: openai, openai-responses, anthropic and google models can; leave "batch" out for it`,
  )
}

/** Another worker looks after the batches of a model by now: nothing more is done with them here. */
export class TakenOver extends Error {
  readonly kind = 'taken-over'
  override readonly name = 'TakenOver'
}

export const isTakenOver = (error: unknown): error is TakenOver =>
  error instanceof Error && 'kind' in error && error.kind === 'taken-over'
