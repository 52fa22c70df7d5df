import { type Outcome, UsageError } from '../../core/index.ts'
import { ActiveExtension, type RunExtension, type WorkInProgress } from '../../runner/extensions.ts'
import type { Run } from '../../runner/folder/run.ts'
import type { Adapt } from '../../runner/plan/experiment.ts'
import type { ModelQueue } from '../../runner/schedule/model-queue.ts'
import { rightness } from '../../runner/scoring/score.ts'
import type { LeasedCall } from '../../store/index.ts'
import { checkAdapt, valuesOf } from './parameter-values.ts'
import { adaptState, openSchedules, type Schedules, saveSteps } from './schedules.ts'

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
    const adapt = folder?.file.adapt
    if (folder === null || adapt === undefined) return null
    const schedules = await openSchedules(folder, adapt)
    for (const schedule of schedules.values()) schedule.advance()
    await saveSteps(folder, schedules)
    return (work) => new ActiveSampler(folder, adapt, schedules, work)
  },
}

class ActiveSampler extends ActiveExtension {
  private readonly run: Run
  private readonly adapt: Adapt
  private readonly schedules: Schedules
  private readonly workInProgress: WorkInProgress

  constructor(run: Run, adapt: Adapt, schedules: Schedules, work: WorkInProgress) {
    super()
    this.run = run
    this.adapt = adapt
    this.schedules = schedules
    this.workInProgress = work
  }

  /** Is a model called no more? */
  private isOver(model: string): boolean {
    return this.schedules.get(model)?.end !== null
  }

  override begin(queues: readonly ModelQueue[]): void {
    for (const queue of queues) queue.drained = this.isOver(queue.spec.name)
  }

  override lease(model: string, n: number): Promise<readonly LeasedCall[]> {
    const { owner, leaseMs } = this.workInProgress
    return this.run.ledger.leaseItems(this.schedules.get(model)?.take(n) ?? [], owner, leaseMs, model)
  }

  override hasWork(model: string): boolean {
    return (this.schedules.get(model)?.waiting ?? 0) > 0
  }

  override maxCalls(model: string): number {
    const schedule = this.schedules.get(model)
    return schedule === undefined ? 0 : schedule.end === null ? schedule.maxItems : schedule.chosen
  }

  /** The next step of a model may follow from it. */
  override callEnded(
    queue: ModelQueue,
    { item, model }: LeasedCall,
    outcome: Outcome | null,
    usd: number | null,
  ): void {
    const answer = { right: outcome === null ? null : rightness(outcome), usd }
    if (this.schedules.get(model)?.addAnswer(item.id, answer) !== true) return
    this.end().catch((error: unknown) => this.workInProgress.fail(error))
    queue.drained = this.isOver(model)
  }

  override end(): Promise<void> {
    return saveSteps(this.run, this.schedules)
  }

  override get endings(): readonly 'stopped-early'[] {
    return [...this.schedules.keys()].every((model) => this.isOver(model)) ? ['stopped-early'] : []
  }

  override get result() {
    return { adapt: adaptState(this.adapt, this.schedules) }
  }
}
