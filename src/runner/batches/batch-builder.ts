import type { Batching, Model, Reply } from '../../models/index.ts'
import type { LeasedCell } from '../../store/index.ts'
import type { RunModel } from '../plan/resolve.ts'
import type { Desk } from '../schedule/run-services.ts'
import type { BatchOptions } from './batch-work.ts'
import { answered, type Draft, draft, lineFailed, released } from './lines.ts'

/** Cells leased together. */
const LEASE = 500

/** Cells of one model that wait, as lines of its next batch. */
export class NextBatch {
  private readonly desk: Desk
  private readonly model: Model
  private readonly spec: RunModel
  private readonly options: BatchOptions
  /** Lines and bytes that one batch holds. */
  private readonly most: Batching['most']
  /** Leased, and too many for the last batch. */
  private left: LeasedCell[] = []

  constructor(desk: Desk, model: Model, spec: RunModel, most: Batching['most'], options: BatchOptions) {
    this.desk = desk
    this.model = model
    this.spec = spec
    this.options = options
    this.most = { ...most, lines: Math.min(spec.batch?.lines ?? most.lines, most.lines) }
  }

  /** As many cells as one batch, and the budget, hold; `short`: the budget holds no more. */
  async gather(): Promise<{ readonly drafts: readonly Draft[]; readonly short: boolean }> {
    const { run, budget } = this.desk
    const room = (await run.ledger.room?.()) ?? Number.POSITIVE_INFINITY
    const drafts: Draft[] = []
    let bytes = 0
    let usd = 0
    while (drafts.length < this.most.lines && !this.options.stop.aborted) {
      const cell = this.left.shift() ?? (await this.lease())
      if (cell === null) break
      const made = await draft(run, this.model, this.spec, cell)
      if ('kind' in made) {
        await this.unsent(cell, made)
        continue
      }
      const size = Buffer.byteLength(made.body, 'utf8') + 256
      if (drafts.length > 0 && bytes + size > this.most.bytes) {
        this.left.unshift(cell)
        break
      }
      if ((made.most > 0 && usd + made.most > room) || !budget.reserve(made.most)) {
        this.left.unshift(cell)
        return { drafts, short: true }
      }
      bytes += size
      usd += made.most
      drafts.push(made)
    }
    return { drafts, short: false }
  }

  /** A cell that needs no line: its answer is kept already, or it cannot be asked. */
  async unsent(cell: LeasedCell, reply: Reply): Promise<void> {
    const { run, meter } = this.desk
    const started = Date.now()
    const times = { started, ended: started + (reply.recorded?.ms ?? 0) }
    if (reply.kind === 'failure') {
      await run.ledger.commit(lineFailed(cell, reply, times, true))
      meter.failure(this.spec.name, reply, true)
    } else {
      const event = answered(run, this.model, this.spec, { cell, most: 0 }, reply, times)
      await run.ledger.commit([event])
      meter.done(this.spec.name, cell.item.group, event.scored?.outcome ?? null)
    }
  }

  /** Puts what was leased and not sent back to waiting. */
  async giveBack(cells: readonly LeasedCell[] = this.left.splice(0)): Promise<void> {
    if (cells.length > 0) await this.desk.run.ledger.commit(cells.map((cell) => released(cell, false)))
  }

  private async lease(): Promise<LeasedCell | null> {
    const { owner, leaseMs } = this.options
    this.left.push(...(await this.desk.run.ledger.lease(LEASE, owner, leaseMs, this.spec.name)))
    return this.left.shift() ?? null
  }
}
