import type { Failure, LineResult, Model } from '../../models/index.ts'
import type { LeasedCell, OpenBatch, RunEvent } from '../../store/index.ts'
import { Breaker, type Cause } from '../limits/circuit-breaker.ts'
import { isFinal, type Tries, UNTRIED, withFailure } from '../limits/retry-state.ts'
import { bookedText, isAbove, overrun } from '../money/cost-reservation.ts'
import type { RunModel } from '../plan/resolve.ts'
import { type Desk, isLimited } from '../schedule/run-services.ts'
import { answered, failedCost, lineFailed, replyOf, timesOf } from './lines.ts'
import { CANCELLED_THERE } from './stalled-batches.ts'

/** What becomes of the lines of one model's batches: answers, money, and when there is no sense in going on. */
export class LineOutcomes {
  private readonly desk: Desk
  private readonly model: Model
  private readonly spec: RunModel
  /** Batches are being ended by ourselves. */
  private readonly cancelling: boolean
  /** Nothing more is to be sent off. */
  private readonly giveUp: (why: Cause) => void
  private readonly breaker = new Breaker()
  private readonly tries = new Map<number, Tries>()

  constructor(desk: Desk, model: Model, spec: RunModel, cancelling: boolean, giveUp: (why: Cause) => void) {
    this.desk = desk
    this.model = model
    this.spec = spec
    this.cancelling = cancelling
    this.giveUp = giveUp
  }

  /** What is written down of a line. */
  async of(
    batch: OpenBatch,
    line: { readonly cell: LeasedCell; readonly most: number },
    result: LineResult,
  ): Promise<readonly RunEvent[]> {
    const { run, meter, notes, budget } = this.desk
    const times = timesOf(batch)
    const reply = await replyOf(run, this.model, line.cell, result)
    if (reply.kind === 'failure') return this.failed(line, reply, times)
    const event = answered(run, this.model, this.spec, line, reply, times)
    const { usd, refused = [] } = event.response.usage
    if (usd !== undefined) budget.settle(0, usd - line.most)
    this.breaker.succeeded()
    meter.done(this.spec.name, line.cell.item.group, event.scored?.outcome ?? null)
    meter.spent(this.spec.name, usd ?? line.most)
    meter.batched(-1)
    notes.ignores(this.spec.name, reply.ignored)
    notes.refusal(this.spec.name, reply.refusal)
    for (const words of refused) notes.doubt(`${this.spec.name} says it used ${words}; ${bookedText(usd, line)}`)
    if (isLimited(this.desk) && isAbove(usd, line)) this.giveUp(overrun(usd, line))
    return [event]
  }

  /** A line without an answer: asked again or given up, as often as the limits say. */
  failed(
    { cell, most }: { readonly cell: LeasedCell; readonly most: number },
    reply: Failure,
    times: { readonly started: number; readonly ended: number },
  ): readonly RunEvent[] {
    const { run, meter, budget } = this.desk
    const usd = reply.free ? 0 : failedCost(run, this.model, this.spec, { cell, most }, reply)
    if (usd !== undefined) budget.settle(0, usd - most)
    if (isLimited(this.desk) && isAbove(usd, { most })) this.giveUp(overrun(usd, { most }))
    meter.spent(this.spec.name, usd ?? most)
    meter.batched(-1)
    const tries = withFailure(this.tries.get(cell.id) ?? UNTRIED, reply)
    this.tries.set(cell.id, tries)
    const cancelled = reply.code === 'batch-cancelled'
    if (cancelled && !this.cancelling) this.giveUp(CANCELLED_THERE)
    const final = !cancelled && isFinal(tries, reply, run.file.limits.retries)
    meter.failure(this.spec.name, reply, final)
    const cause = cancelled ? null : this.breaker.failed(reply)
    if (cause !== null) this.giveUp(cause)
    return lineFailed(cell, reply, times, final, usd)
  }
}
