import type { Outcome } from '../../core/index.ts'
import { ActiveExtension, type RunExtension, type WorkInProgress } from '../../runner/extensions.ts'
import type { Run } from '../../runner/folder/run.ts'
import type { ModelQueue } from '../../runner/schedule/model-queue.ts'
import { exceedsLead } from '../../runner/schedule/pick-queue.ts'
import type { LeasedCall } from '../../store/index.ts'
import { openSequentialTest, saveInterim } from './open.ts'
import { checkUntil } from './rule.ts'
import type { SequentialTest } from './sequential-test.ts'

/** Stops a run as soon as its rule is satisfied: `until` of an experiment. */
export const sequentialExtension: RunExtension = {
  key: 'until',
  check({ until, models }) {
    if (until !== undefined) checkUntil(until, models)
  },
  async open(_run, _options, folder) {
    const test = folder === null ? null : await openSequentialTest(folder)
    return folder === null || test === null ? null : (work) => new ActiveTest(folder, test, work)
  },
}

class ActiveTest extends ActiveExtension {
  private readonly run: Run
  private readonly test: SequentialTest
  private readonly workInProgress: WorkInProgress
  private readonly compared: ReadonlySet<string>

  constructor(run: Run, test: SequentialTest, work: WorkInProgress) {
    super()
    this.run = run
    this.test = test
    this.workInProgress = work
    this.compared = test.compared
  }

  override get comparesModels(): boolean {
    return true
  }

  /** The responses of earlier processes may satisfy the rule. */
  override begin(): void {
    this.test.analyze()
    this.stopIfKnown()
  }

  override holdsBack(queue: ModelQueue, queues: readonly ModelQueue[]): boolean {
    return exceedsLead(queue, queues, this.compared)
  }

  override callEnded(_queue: ModelQueue, { item, model }: LeasedCall, outcome: Outcome | null): void {
    if (!this.test.addOutcome(item, model, outcome, 'now')) return
    saveInterim(this.run, this.test).catch((error: unknown) => this.workInProgress.fail(error))
    this.stopIfKnown()
  }

  override async end(): Promise<void> {
    this.test.analyze()
    await saveInterim(this.run, this.test)
  }

  override get result() {
    return { until: this.test.state }
  }

  private stopIfKnown(): void {
    if (this.test.verdict !== null) this.workInProgress.stop('stopped-early')
  }
}
