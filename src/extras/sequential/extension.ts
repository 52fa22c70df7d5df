import { z } from 'zod'
import type { Outcome } from '../../core/index.ts'
import { ActiveExtension, type RunExtension, type WorkInProgress } from '../../runner/extensions.ts'
import type { Run } from '../../runner/folder/run.ts'
import type { InterimAnalysis, UntilState } from '../../runner/plan/experiment.ts'
import type { ModelQueue } from '../../runner/schedule/model-queue.ts'
import { exceedsLead } from '../../runner/schedule/model-queue.ts'
import { type LeasedCall, parseStored, type UnitSize } from '../../store/index.ts'
import { checkUntil, SequentialTest } from './sequential-test.ts'

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

/** Key of the fact in the ledger with the interim analyses. */
const UNTIL_KEY = 'until'

const modelInterim = z.object({
  model: z.string(),
  groups: z.number(),
  accuracy: z.number(),
  low: z.number(),
  high: z.number(),
})
// An e-value may be infinite, which JSON writes as null.
const eValue = z.number().nullable()
const interimSchema = z.union([
  z.object({
    kind: z.literal('better'),
    groups: z.number(),
    difference: z.number().nullable(),
    eGreater: eValue,
    eLess: eValue,
  }),
  z.object({ kind: z.literal('width'), groups: z.number(), models: z.array(modelInterim) }),
])
const stored = z.object({ interim: z.array(interimSchema), verdict: z.string().nullable() })

/** The test of a run with a stopping rule, with all earlier outcomes; null for other runs. */
async function openSequentialTest(run: Run): Promise<SequentialTest | null> {
  const { until, models } = run.file
  if (until === undefined) return null
  const groups = run.ledger.unitSizes()
  // With one group the item is the unit, as everywhere.
  const byItem = new Set(groups.map(({ unit }) => unit)).size === 1
  const sizes = await inTurn(run, byItem ? run.ledger.unitSizes('item') : groups, byItem)
  const before = await loadSequentialTest(run)
  const names = models.map(({ name }) => name)
  const test = new SequentialTest(until, names, sizes, byItem, before ?? undefined)
  for await (const page of run.ledger.finishedCalls())
    for (const { item, model, outcome } of page) test.addOutcome(item, model, outcome, 'before')
  return test
}

/** Units in the order of their calls. */
async function inTurn(run: Run, sizes: readonly UnitSize[], byItem: boolean): Promise<readonly UnitSize[]> {
  const turns = new Map<string, number>()
  for await (const page of run.ledger.waitingCalls())
    for (const { item, group, priority } of page) {
      const unit = byItem ? item : group
      turns.set(unit, Math.min(priority, turns.get(unit) ?? Number.POSITIVE_INFINITY))
    }
  return sizes.toSorted((a, b) => (turns.get(a.unit) as number) - (turns.get(b.unit) as number))
}

/**
 * The saved interim analyses of a run and its verdict; null if it has no rule.
 *
 * @throws StoreError for analyses that this program did not write
 */
export async function loadSequentialTest(run: Run): Promise<UntilState | null> {
  const { until } = run.file
  if (until === undefined) return null
  const text = await run.ledger.meta(UNTIL_KEY)
  if (text === null) return { ...until, interim: [], verdict: null }
  const { interim, verdict } = parseStored(stored, text, 'what the ledger says of the interim analyses of `until`')
  return { ...until, interim: interim as readonly InterimAnalysis[], verdict }
}

/** Interim analyses are saved as they are made. */
async function saveInterim(run: Run, { state }: SequentialTest): Promise<void> {
  await run.ledger.setMeta(UNTIL_KEY, JSON.stringify({ interim: state.interim, verdict: state.verdict }))
}
