import type { Model } from '../../models/index.ts'
import { ActiveExtension, type RunExtension, type WorkInProgress } from '../../runner/extensions.ts'
import type { StopCause } from '../../runner/limits/circuit-breaker.ts'
import type { RunModel } from '../../runner/plan/resolve.ts'
import { type KnownBatchIds, parseBatchIds } from './batch-ids.ts'
import { BatchQueue } from './batch-queue.ts'
import { type BatchEnd, type BatchOptions, requireBatching, workUnderLease } from './batch-work.ts'

/** Seconds between two polls of a batch. */
const POLL_S = 30
/** Seconds within which lists and files of a provider show what is there. */
const SETTLING_S = 60

/** Calls models by the batch API of their provider: `batch` of a model. */
export const batchExtension: RunExtension = {
  key: 'batch',
  checkModel(spec, model) {
    if (spec.batch !== undefined) requireBatching(model)
  },
  async open({ ledger }, { batchIds = [], offline = false }) {
    const known = await parseBatchIds(batchIds, ledger)
    return (work) => {
      const models = offline ? [] : work.models.filter(({ spec }) => spec.batch !== undefined)
      return models.length === 0 ? null : new ActiveBatches(work, models, known)
    }
  },
}

class ActiveBatches extends ActiveExtension {
  private readonly workInProgress: WorkInProgress
  private readonly options: BatchOptions
  private readonly queues: readonly BatchQueue[]
  private ends: readonly BatchEnd[] = []

  constructor(
    work: WorkInProgress,
    models: readonly { readonly model: Model; readonly spec: RunModel }[],
    knownBatchIds: KnownBatchIds,
  ) {
    super()
    this.workInProgress = work
    const {
      poll = POLL_S,
      settling = SETTLING_S,
      wait = true,
      cancelBatches: cancel = false,
      stop,
      abort,
      random,
    } = work.options
    const never = new AbortController().signal
    this.options = {
      owner: work.owner,
      leaseMs: work.leaseMs,
      pollMs: poll * 1000,
      settlingMs: settling * 1000,
      wait,
      cancel,
      knownBatchIds,
      stop: AbortSignal.any([stop ?? never, abort ?? never, work.halted]),
      abort: abort ?? never,
      random,
    }
    this.queues = models.map(
      ({ model, spec }) => new BatchQueue(work.services, model, requireBatching(model), spec, this.options),
    )
  }

  override get models(): ReadonlySet<string> {
    return new Set(this.queues.map(({ spec }) => spec.name))
  }

  override async work(): Promise<void> {
    const { services } = this.workInProgress
    this.ends = await Promise.all(this.queues.map((queue) => workUnderLease(queue, services, this.options)))
  }

  override get stopped(): readonly (readonly [string, StopCause])[] {
    return this.queues.flatMap(({ spec, stopped }) => (stopped === null ? [] : [[spec.name, stopped] as const]))
  }

  override get endings(): readonly ('cost-limit' | 'batches-pending')[] {
    return this.ends.filter((end) => end !== 'completed')
  }
}
