import type { Outcome } from '../../core/index.ts'
import { type Failure, LONGEST_WAIT_MS, type Settings } from '../../models/index.ts'
import type { Traffic } from '../../store/index.ts'
import { trafficKey } from '../limits/circuit-breaker.ts'
import { backoff } from '../limits/concurrency-limiter.ts'
import { isFinal, withFailure } from '../limits/retry-state.ts'
import { type Booking, bookedText, bookingOrFailure, isAbove, overrun, owedAbove } from '../money/cost-reservation.ts'
import type { Lane, Pending } from '../schedule/model-queue.ts'
import { type Desk, isLimited } from '../schedule/run-services.ts'
import { type CallResult, failureEvent, OpenCalls, responseEvent } from './call.ts'
import type { Saver } from './event-writer.ts'

/** For how long one call goes ahead of the others. */
const AHEAD_MS = 30_000

/** What was booked for a call that is over: its cost, or all that was set aside for it. */
type Outlay = 'free' | 'unknown' | { readonly usd: number }

/** What a call may ask of the work that it is part of. */
export interface Control {
  /** No further calls go out. */
  readonly halted: boolean
  stop(why: 'budget'): void
  fail(error: unknown): void
  /** Goes on: at once, soon, or once the work has begun. */
  pump(): void
  next(): void
  news(): void
  /** A cell has ended; null: without an answer. */
  saw(lane: Lane, pending: Pending, outcome: Outcome | null, usd: number | null): void
}

/** The calls of this process: what each can cost is set aside and on disk before it goes out, and what came of it is saved. */
export class LiveCalls {
  private readonly desk: Desk
  private readonly saver: Saver
  private readonly control: Control
  private readonly owner: string
  private readonly random: (() => number) | undefined
  private readonly open = new OpenCalls()

  constructor(
    desk: Desk,
    saver: Saver,
    control: Control,
    { owner, random }: { readonly owner: string; readonly random: (() => number) | undefined },
  ) {
    this.desk = desk
    this.saver = saver
    this.control = control
    this.owner = owner
    this.random = random
  }

  breakOff(): void {
    this.open.breakOff()
  }

  abortAll(): void {
    this.open.abortAll()
  }

  /** False: the budget does not allow it. */
  send(lane: Lane, pending: Pending): boolean {
    const settings = lane.settingsOf(pending.cell)
    const booking = pending.booking ?? bookingOrFailure(this.desk.run.sources, lane, pending.cell, settings)
    if ('kind' in booking) {
      this.unsent(lane, pending, booking)
      return true
    }
    const probes = lane.probes
    lane.short = !this.desk.budget.reserve(booking.most + probes)
    if (lane.short) {
      lane.ready.unshift({ ...pending, booking })
      return false
    }
    this.desk.budget.settle(probes, probes)
    lane.unasked += probes
    lane.inFlight++
    lane.limiter.started()
    if (lane.ahead && lane.suspect === null) this.openLater(lane)
    const passed = lane.gate?.take() ?? 0
    void this.call(lane, { ...pending, passed, feared: lane.suspect }, settings, booking, probes)
    return true
  }

  private unsent(lane: Lane, pending: Pending, reply: Failure): void {
    const at = Date.now()
    this.failed(lane, pending, { reply, started: at, ended: at }, { most: 0, bounds: null })
    this.control.next()
  }

  /** A first answer may take long: whoever thinks for half a minute has accepted the key. */
  private openLater(lane: Lane): void {
    const timer = setTimeout(() => {
      lane.ahead = false
      this.control.news()
    }, AHEAD_MS)
    timer.unref()
  }

  private async call(
    lane: Lane,
    pending: Pending,
    settings: Settings,
    booking: Booking,
    probes: number,
  ): Promise<void> {
    let outlay: Outlay = 'unknown'
    try {
      if (await this.booked(pending, booking, probes)) {
        const result = await this.open.ask(
          this.desk.run,
          lane.model,
          pending.cell,
          settings,
          this.desk.run.file.limits.timeout,
          booking.most > 0,
        )
        if (result.reply.recorded?.source !== 'cache') lane.unasked = 0
        outlay =
          result.reply.kind === 'answer'
            ? this.answered(lane, pending, result, booking)
            : this.failed(lane, pending, result, booking)
      } else outlay = 'free'
    } catch (error) {
      this.control.fail(error)
    }
    if (outlay === 'free') lane.gate?.settle(pending.passed ?? 0, 0)
    lane.inFlight--
    lane.limiter.ended()
    const usd = outlay === 'free' ? 0 : outlay === 'unknown' ? booking.most : outlay.usd
    this.desk.budget.settle(booking.most, usd)
    this.desk.meter.spent(lane.spec.name, usd)
    this.control.next()
  }

  /** What a call can cost is on disk before it goes out. @returns whether it may go out. */
  private async booked({ cell }: Pending, { most }: Booking, probes: number): Promise<boolean> {
    if (most === 0) return true
    try {
      if (probes > 0) await this.desk.run.ledger.carry(probes)
      const attempt = { kind: 'attempt', cell: cell.id, attempt: cell.attempt, started: Date.now(), most } as const
      const { ledger } = this.desk.run
      if (ledger.reserve === undefined) await ledger.commit([attempt])
      else {
        const reserved = await ledger.reserve(attempt, this.owner)
        if (reserved === 'lost') return false
        if (reserved === 'over') this.control.stop('budget')
      }
    } catch (error) {
      this.control.fail(error)
    }
    if (!this.control.halted) return true
    this.saver.save([{ kind: 'release', cell: cell.id, attempt: cell.attempt, sent: false }])
    return false
  }

  private answered(lane: Lane, pending: Pending, result: CallResult, booking: Booking): Outlay {
    if (result.reply.kind !== 'answer') return 'unknown'
    const event = responseEvent(this.desk.run, lane.spec, pending.cell, result, booking)
    lane.limiter.succeeded()
    lane.breaker.succeeded()
    lane.answered(pending.feared ?? null)
    const { inputTokens, outputTokens } = event.response.usage
    if (inputTokens !== undefined && outputTokens !== undefined)
      lane.gate?.settle(pending.passed ?? 0, inputTokens + outputTokens)
    const { allowance } = result.reply
    if (allowance !== undefined) lane.limiter.allowed(allowance.requests, allowance.resetMs)
    this.desk.meter.done(lane.spec.name, pending.cell.item.group, event.scored?.outcome ?? null)
    this.desk.notes.ignores(lane.spec.name, result.reply.ignored)
    this.desk.notes.refusal(lane.spec.name, result.reply.refusal)
    this.saver.save([event])
    this.control.saw(lane, pending, event.scored?.outcome ?? null, event.response.usage.usd ?? null)
    const { usd, refused = [] } = event.response.usage
    for (const words of refused)
      this.desk.notes.doubt(`${lane.spec.name} says it used ${words}; ${bookedText(usd, booking)}`)
    this.measure(lane, usd, booking)
    return usd === undefined ? 'unknown' : { usd }
  }

  /** A server that takes more than it is allowed to is asked nothing more where a limit is to be kept. */
  private measure(lane: Lane, usd: number | undefined, booking: Booking): void {
    if (!isLimited(this.desk) || lane.broken !== null || !isAbove(usd, booking)) return
    lane.broken = overrun(usd, booking)
    this.release(lane)
  }

  private failed(lane: Lane, pending: Pending, result: CallResult, booking: Booking): Outlay {
    const { reply } = result
    if (reply.kind === 'answer') return 'unknown'
    const { cell } = pending
    const above = reply.free ? undefined : owedAbove(lane.spec.price, reply.body, booking)
    const outlay = reply.free ? 'free' : above === undefined ? 'unknown' : { usd: above }
    this.measure(lane, above, booking)
    if (reply.code === 'aborted' && this.control.halted) {
      this.saver.save([{ kind: 'release', cell: cell.id, attempt: cell.attempt, sent: true }])
      return outlay
    }
    const own = lane.broken === null ? lane.breaker.failed(reply) : null
    const shared = lane.broken === null && lane.suspect?.code === reply.code ? lane.suspect : null
    const cause = own ?? shared
    if (cause !== null) {
      if (own !== null)
        this.tell((traffic) =>
          traffic.broke(trafficKey(lane.model.route, lane.spec.spec), this.owner, JSON.stringify(own)),
        )
      lane.broken = cause
      this.release(lane)
    }
    const tries = withFailure(pending.tries, reply)
    const final = isFinal(tries, reply, this.desk.run.file.limits.retries)
    const wait = backoff(tries.tried + tries.slowed, reply.waitMs, this.random)
    if (reply.retry === 'slow-down') {
      lane.limiter.slowDown(reply.waitMs)
      const { waitMs } = reply
      if (waitMs !== null) this.tell((traffic) => traffic.pause(lane.model.route, Math.min(waitMs, LONGEST_WAIT_MS)))
    }
    this.desk.meter.failure(lane.spec.name, reply, final)
    if (final) {
      this.saver.save([failureEvent(cell, result, true, above)])
      this.control.saw(lane, pending, null, null)
      return outlay
    }
    const again: Pending = { cell: { ...cell, attempt: cell.attempt + 1 }, tries }
    if (this.control.halted || lane.broken !== null) {
      // The failed attempt is over; the cell waits for another day.
      this.saver.save([
        failureEvent(cell, result, false, above),
        { kind: 'release', cell: cell.id, attempt: cell.attempt, sent: true },
      ])
      return outlay
    }
    const timer = setTimeout(() => void this.again(lane, again), wait)
    lane.delayed.set(cell.id, { pending: again, timer, due: performance.now() + wait })
    this.saver.save([failureEvent(cell, result, false, above)])
    return outlay
  }

  /** The next attempt is on disk before its request goes out. */
  private async again(lane: Lane, pending: Pending): Promise<void> {
    const { id, attempt } = pending.cell
    try {
      await this.desk.run.ledger.commit([{ kind: 'attempt', cell: id, attempt, started: Date.now() }])
    } catch (error) {
      this.control.fail(error)
    }
    lane.delayed.delete(id)
    lane.ready.unshift(pending)
    if (this.control.halted || lane.broken !== null) this.release(lane)
    this.control.pump()
  }

  /** Gives back what was booked for questions that no model had to ask, since all its answers were kept. */
  async refund(lanes: readonly Lane[]): Promise<void> {
    for (const { unasked } of lanes)
      if (unasked > 0) {
        await this.desk.run.ledger.carry(-unasked)
        this.desk.budget.settle(0, -unasked)
      }
  }

  /** Tells the other workers. */
  private tell(work: (traffic: Traffic) => Promise<void>): void {
    const { traffic } = this.desk.run.ledger
    if (traffic !== undefined) work(traffic).catch((error: unknown) => this.control.fail(error))
  }

  /** Gives back what a model has in hand and did not send. */
  release(lane: Lane): void {
    const cells = lane.surrender()
    if (cells.length > 0)
      this.saver.save(cells.map(({ id, attempt }) => ({ kind: 'release', cell: id, attempt, sent: false })))
  }
}
