import { UsageError } from '../../core/index.ts'
import type { Model } from '../../models/index.ts'
import type { Cause } from '../breaker.ts'
import type { Desk } from '../desk.ts'
import type { RunModel } from '../resolve.ts'
import { BatchLane } from './batch-lane.ts'
import type { BatchEnd, BatchOptions } from './batch-options.ts'
import { keptWork } from './kept.ts'

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
    this.lanes = models.map(({ model, spec }) => new BatchLane(desk, model, requireBatching(model), spec, options))
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
export function requireBatching(model: Model): NonNullable<Model['batching']> {
  if (model.batching !== undefined) return model.batching
  throw new UsageError(
    `${model.name} cannot be asked in batches: openai, openai-responses, anthropic and google models can; leave "batch" out for it`,
  )
}
