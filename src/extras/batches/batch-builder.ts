import type { Batching } from '../../models/batching/index.ts'
import type { Model, ModelReply } from '../../models/index.ts'
import type { RunModel } from '../../runner/plan/resolve.ts'
import type { RunServices } from '../../runner/schedule/execute-options.ts'
import type { LeasedCall } from '../../store/index.ts'
import type { BatchOptions } from './batch-work.ts'
import { answeredEvent, draftLine, type LineDraft, lineFailed, released } from './lines.ts'

/** Calls per lease. */
const LEASE = 500

/** Builds the next batch of a model from its waiting calls. */
export class BatchBuilder {
  private readonly services: RunServices
  private readonly model: Model
  private readonly spec: RunModel
  private readonly options: BatchOptions
  /** Most lines and bytes of a batch. */
  private readonly most: Batching['most']
  /** Leased calls that did not fit into the last batch. */
  private left: LeasedCall[] = []

  constructor(services: RunServices, model: Model, spec: RunModel, most: Batching['most'], options: BatchOptions) {
    this.services = services
    this.model = model
    this.spec = spec
    this.options = options
    this.most = { ...most, lines: Math.min(spec.batch?.lines ?? most.lines, most.lines) }
  }

  /** As many calls as fit into a batch and the cost limit; `short`: the cost limit allows no more. */
  async gather(): Promise<{ readonly drafts: readonly LineDraft[]; readonly short: boolean }> {
    const { run, budget } = this.services
    const room = (await run.ledger.remainingBudget()) ?? Number.POSITIVE_INFINITY
    const drafts: LineDraft[] = []
    let bytes = 0
    let usd = 0
    while (drafts.length < this.most.lines && !this.options.stop.aborted) {
      const call = this.left.shift() ?? (await this.lease())
      if (call === null) break
      const made = await draftLine(run, this.model, this.spec, call)
      if ('kind' in made) {
        await this.recordUnsent(call, made)
        continue
      }
      const size = Buffer.byteLength(made.body, 'utf8') + 256
      if (drafts.length > 0 && bytes + size > this.most.bytes) {
        this.left.unshift(call)
        break
      }
      if ((made.maxUsd > 0 && usd + made.maxUsd > room) || !budget.reserve(made.maxUsd)) {
        this.left.unshift(call)
        return { drafts, short: true }
      }
      bytes += size
      usd += made.maxUsd
      drafts.push(made)
    }
    return { drafts, short: false }
  }

  /** A call that needs no line: its response is in the cache, or it cannot be sent. */
  async recordUnsent(call: LeasedCall, reply: ModelReply): Promise<void> {
    const { run, meter } = this.services
    const started = Date.now()
    const times = { started, ended: started + (reply.recorded?.ms ?? 0) }
    if (reply.kind === 'failure') {
      await run.ledger.commit(lineFailed(call, reply, times, true))
      meter.failure(this.spec.name, reply, true)
    } else {
      const event = answeredEvent(run, this.model, this.spec, { call, maxUsd: 0 }, reply, times)
      await run.ledger.commit([event])
      meter.done(this.spec.name, call.item.group, event.scored?.outcome ?? null)
    }
  }

  /** Puts leased calls that were not submitted back to waiting. */
  async releaseCalls(calls: readonly LeasedCall[] = this.left.splice(0)): Promise<void> {
    if (calls.length > 0) await this.services.run.ledger.commit(calls.map((call) => released(call, false)))
  }

  private async lease(): Promise<LeasedCall | null> {
    const { owner, leaseMs } = this.options
    this.left.push(...(await this.services.run.ledger.lease(LEASE, owner, leaseMs, this.spec.name)))
    return this.left.shift() ?? null
  }
}
