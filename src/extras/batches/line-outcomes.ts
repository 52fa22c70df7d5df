import type { LineResult } from '../../models/batching/index.ts'
import type { Failure, Model } from '../../models/index.ts'
import { CircuitBreaker, type StopCause } from '../../runner/limits/circuit-breaker.ts'
import { afterFailure, isExhausted, NO_ATTEMPTS, type RetryState } from '../../runner/limits/concurrency-limiter.ts'
import { describeBooked, exceedsReservation, overrunCause } from '../../runner/money/cost-reservation.ts'
import type { RunModel } from '../../runner/plan/resolve.ts'
import { hasCostLimit, type RunServices } from '../../runner/schedule/execute-options.ts'
import type { LeasedCall, OpenBatch, RunEvent } from '../../store/index.ts'
import { answeredEvent, failedCost, lineFailed, replyOf, timesOf } from './lines.ts'
import { CANCELLED_THERE } from './stalled-batches.ts'

/** Outcomes of the lines of one model's batches: responses, money, and when to stop the model. */
export class LineOutcomes {
  private readonly services: RunServices
  private readonly model: Model
  private readonly spec: RunModel
  /** Batches are being cancelled by this run. */
  private readonly cancelling: boolean
  /** Stops further batches. */
  private readonly giveUp: (why: StopCause) => void
  private readonly breaker = new CircuitBreaker()
  private readonly tries = new Map<number, RetryState>()

  constructor(
    services: RunServices,
    model: Model,
    spec: RunModel,
    cancelling: boolean,
    giveUp: (why: StopCause) => void,
  ) {
    this.services = services
    this.model = model
    this.spec = spec
    this.cancelling = cancelling
    this.giveUp = giveUp
  }

  /** The events of the result of a line. */
  async of(
    batch: OpenBatch,
    line: { readonly call: LeasedCall; readonly maxUsd: number },
    result: LineResult,
  ): Promise<readonly RunEvent[]> {
    const { run, meter, warnings, budget } = this.services
    const times = timesOf(batch)
    const reply = await replyOf(run, this.model, line.call, result)
    if (reply.kind === 'failure') return this.failed(line, reply, times)
    const event = answeredEvent(run, this.model, this.spec, line, reply, times)
    const { usd, refusedCounts = [] } = event.response.usage
    if (usd !== undefined) budget.settle(0, usd - line.maxUsd)
    this.breaker.succeeded()
    meter.done(this.spec.name, line.call.item.group, event.scored?.outcome ?? null)
    meter.spent(this.spec.name, usd ?? line.maxUsd)
    meter.batched(-1)
    warnings.response(this.spec.name, reply)
    for (const words of refusedCounts)
      warnings.warn(`${this.spec.name} says it used ${words}; ${describeBooked(usd, line)}`)
    if (hasCostLimit(this.services) && exceedsReservation(usd, line)) this.giveUp(overrunCause(usd, line))
    return [event]
  }

  /** A line without a response: tried again or failed, by the limits of the run. */
  failed(
    { call, maxUsd }: { readonly call: LeasedCall; readonly maxUsd: number },
    reply: Failure,
    times: { readonly started: number; readonly ended: number },
  ): readonly RunEvent[] {
    const { run, meter, budget } = this.services
    const usd = reply.free ? 0 : failedCost(run, this.model, this.spec, { call, maxUsd }, reply)
    if (usd !== undefined) budget.settle(0, usd - maxUsd)
    if (hasCostLimit(this.services) && exceedsReservation(usd, { maxUsd })) this.giveUp(overrunCause(usd, { maxUsd }))
    meter.spent(this.spec.name, usd ?? maxUsd)
    meter.batched(-1)
    const tries = afterFailure(this.tries.get(call.id) ?? NO_ATTEMPTS, reply)
    this.tries.set(call.id, tries)
    const cancelled = reply.code === 'batch-cancelled'
    if (cancelled && !this.cancelling) this.giveUp(CANCELLED_THERE)
    const final = !cancelled && isExhausted(tries, reply, run.file.limits.retries)
    meter.failure(this.spec.name, reply, final)
    const cause = cancelled ? null : this.breaker.failed(reply)
    if (cause !== null) this.giveUp(cause)
    return lineFailed(call, reply, times, final, usd)
  }
}
