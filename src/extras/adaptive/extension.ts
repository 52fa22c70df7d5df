import { type Outcome, UsageError } from '../../core/index.ts'
import { ActiveExtension, type RunExtension, type WorkInProgress } from '../../runner/extensions.ts'
import type { ModelQueue } from '../../runner/schedule/model-queue.ts'
import { rightness } from '../../runner/scoring/score.ts'
import type { LeasedCall } from '../../store/index.ts'
import { type AdaptiveSampler, openAdaptiveSampler } from './adaptive-sampler.ts'
import { checkAdapt, valuesOf } from './parameter-values.ts'

/** Chooses the next items of each model by its responses so far, to find its threshold soon: `adapt` of an experiment. */
export const adaptiveExtension: RunExtension = {
  key: 'adapt',
  sweep({ adapt }, entry, task) {
    const values = adapt === undefined ? null : valuesOf(adapt, entry, task)
    return adapt === undefined || values === null
      ? null
      : { parameter: adapt.parameter, values, maxItems: adapt.maxItems }
  },
  check({ adapt, until, models, sources }, tasks) {
    if (adapt === undefined) return
    if (until !== undefined)
      throw new UsageError('until and adapt exclude each other: an adaptive run has its own "until" inside adapt')
    checkAdapt(adapt, models, sources, tasks)
  },
  async open(_run, _options, folder) {
    const sampler = folder === null ? null : await openAdaptiveSampler(folder)
    return sampler === null ? null : (work) => new ActiveSampler(sampler, work)
  },
}

class ActiveSampler extends ActiveExtension {
  private readonly sampler: AdaptiveSampler
  private readonly workInProgress: WorkInProgress

  constructor(sampler: AdaptiveSampler, work: WorkInProgress) {
    super()
    this.sampler = sampler
    this.workInProgress = work
  }

  override begin(queues: readonly ModelQueue[]): void {
    for (const queue of queues) queue.drained = this.sampler.plan.isOver(queue.spec.name)
  }

  override lease(model: string, n: number): Promise<readonly LeasedCall[]> {
    return this.sampler.lease(model, n, this.workInProgress.owner, this.workInProgress.leaseMs)
  }

  override hasWork(model: string): boolean {
    return this.sampler.plan.hasWork(model)
  }

  override maxCalls(model: string): number {
    return this.sampler.plan.maxItems(model)
  }

  /** The next step of a model may follow from it. */
  override callEnded(
    queue: ModelQueue,
    { item, model }: LeasedCall,
    outcome: Outcome | null,
    usd: number | null,
  ): void {
    const { plan } = this.sampler
    if (!plan.addAnswer(item.id, model, { right: outcome === null ? null : rightness(outcome), usd })) return
    this.sampler.save().catch((error: unknown) => this.workInProgress.fail(error))
    queue.drained = plan.isOver(model)
  }

  override end(): Promise<void> {
    return this.sampler.save()
  }

  override get endings(): readonly 'stopped-early'[] {
    return this.sampler.plan.allOver ? ['stopped-early'] : []
  }

  override get result() {
    return { adapt: this.sampler.plan.state }
  }
}
