import type { Outcome } from '../../core/index.ts'
import type { Failure, Settings } from '../../models/index.ts'
import {
  isStoreError,
  type LeasedCall,
  type RunEvent,
  type RunStore,
  type SharedLimits,
  StoreError,
} from '../../store/index.ts'
import {
  type CostReservation,
  describeBooked,
  exceedsReservation,
  overrunCause,
  tryReserveCost,
} from '../money/cost-reservation.ts'
import { type ExecutionContext, hasCostLimit, type RunServices } from '../schedule/execute-options.ts'
import type { ModelQueue, PendingCall } from '../schedule/model-queue.ts'
import { type CallResult, handleFailure, InFlightCalls, responseEvent } from './call.ts'

/** For how long the canary call holds up the others of its model. */
const CANARY_WAIT_MS = 30_000

/** What is booked for a call that is over: its cost, or all that was reserved for it. */
export type BookedCost = 'free' | 'unknown' | { readonly usd: number }

/** What a call may ask of the execution that it is part of. */
export interface DispatcherHost {
  /** No further calls are sent. */
  readonly halted: boolean
  stop(why: 'cost-limit'): void
  fail(error: unknown): void
  /** Goes on: at once, soon, or once the work has begun. */
  pump(): void
  next(): void
  goOn(): void
  /** A call has ended; `outcome` null: without a response. */
  callEnded(queue: ModelQueue, call: LeasedCall, outcome: Outcome | null, usd: number | null): void
}

/**
 * Makes the calls of this process: what a call can cost is reserved and on disk before it is sent, and what comes of it
 * is saved. `handleFailure` says what follows a failure.
 */
export class CallDispatcher {
  readonly services: RunServices
  readonly writer: EventWriter
  readonly host: DispatcherHost
  readonly owner: string
  readonly random: (() => number) | undefined
  private readonly inFlight = new InFlightCalls()

  constructor(
    services: RunServices,
    writer: EventWriter,
    host: DispatcherHost,
    owner: string,
    random: (() => number) | undefined,
  ) {
    this.services = services
    this.writer = writer
    this.host = host
    this.owner = owner
    this.random = random
  }

  cancelLocal(): void {
    this.inFlight.cancelLocal()
  }

  abortAll(): void {
    this.inFlight.abortAll()
  }

  /** @returns false: the cost limit does not allow it. */
  send(queue: ModelQueue, pending: PendingCall): boolean {
    const { run, budget } = this.services
    const settings = queue.settingsOf(pending.call)
    const reservation = pending.reservation ?? tryReserveCost(run.sources, queue, pending.call, settings)
    if ('kind' in reservation) {
      this.unsent(queue, pending, reservation)
      return true
    }
    const probes = queue.probeUsd
    queue.overCostLimit = !budget.reserve(reservation.maxUsd + probes)
    if (queue.overCostLimit) {
      queue.ready.unshift({ ...pending, reservation })
      return false
    }
    budget.settle(probes, probes)
    queue.unusedProbeUsd += probes
    queue.inFlight++
    queue.limiter.started()
    if (queue.awaitingCanary && queue.peerFailure === null) this.endCanaryLater(queue)
    const grantedTokens = queue.gate?.take() ?? 0
    const sent = { ...pending, grantedTokens, knownPeerFailure: queue.peerFailure }
    void this.call(queue, sent, settings, reservation, probes)
    return true
  }

  /** Its task cannot put the item into words. */
  private unsent(queue: ModelQueue, pending: PendingCall, reply: Failure): void {
    const at = Date.now()
    handleFailure(this, queue, pending, { reply, started: at, ended: at }, { maxUsd: 0, bounds: null })
    this.host.next()
  }

  /** A first response may take long: a provider that works for half a minute has accepted the key. */
  private endCanaryLater(queue: ModelQueue): void {
    const timer = setTimeout(() => {
      queue.awaitingCanary = false
      this.host.goOn()
    }, CANARY_WAIT_MS)
    timer.unref()
  }

  private async call(
    queue: ModelQueue,
    pending: PendingCall,
    settings: Settings,
    reservation: CostReservation,
    probes: number,
  ): Promise<void> {
    const { run, budget, meter } = this.services
    const priced = reservation.maxUsd > 0
    let cost: BookedCost = 'unknown'
    try {
      if (await this.book(pending, reservation, probes)) {
        const result = await this.inFlight.ask(
          run,
          queue.model,
          pending.call,
          settings,
          run.file.limits.timeout,
          priced,
        )
        if (result.reply.recorded?.source !== 'cache') queue.unusedProbeUsd = 0
        cost =
          result.reply.kind === 'answer'
            ? this.answered(queue, pending, result, reservation)
            : handleFailure(this, queue, pending, result, reservation)
      } else cost = 'free'
    } catch (error) {
      this.host.fail(error)
    }
    if (cost === 'free') queue.gate?.settle(pending.grantedTokens ?? 0, 0)
    queue.inFlight--
    queue.limiter.ended()
    const usd = cost === 'free' ? 0 : cost === 'unknown' ? reservation.maxUsd : cost.usd
    budget.settle(reservation.maxUsd, usd)
    meter.spent(queue.spec.name, usd)
    this.host.next()
  }

  /** What a call can cost is on disk before it is sent. @returns whether it may be sent. */
  private async book({ call }: PendingCall, { maxUsd }: CostReservation, probes: number): Promise<boolean> {
    if (maxUsd === 0) return true
    const { ledger } = this.services.run
    try {
      if (probes > 0) await ledger.bookExtra(probes)
      const { id, attempt } = call
      const booked = await ledger.bookAttempt(
        { kind: 'attempt', call: id, attempt, started: Date.now(), maxUsd },
        this.owner,
      )
      if (booked === 'lost') return false
      if (booked === 'over') this.host.stop('cost-limit')
    } catch (error) {
      this.host.fail(error)
    }
    if (!this.host.halted) return true
    this.writer.save([{ kind: 'release', call: call.id, attempt: call.attempt, sent: false }])
    return false
  }

  private answered(
    queue: ModelQueue,
    pending: PendingCall,
    result: CallResult,
    reservation: CostReservation,
  ): BookedCost {
    if (result.reply.kind !== 'answer') return 'unknown'
    const { run, meter, warnings } = this.services
    const { name } = queue.spec
    const event = responseEvent(run, queue.spec, pending.call, result, reservation)
    const { inputTokens, outputTokens, usd, refusedCounts = [] } = event.response.usage
    const outcome = event.scored?.outcome ?? null
    queue.limiter.succeeded()
    queue.breaker.succeeded()
    queue.answered(pending.knownPeerFailure ?? null)
    if (inputTokens !== undefined && outputTokens !== undefined)
      queue.gate?.settle(pending.grantedTokens ?? 0, inputTokens + outputTokens)
    const { allowance } = result.reply
    if (allowance !== undefined) queue.limiter.applyAllowance(allowance.requests, allowance.resetMs)
    meter.done(name, pending.call.item.group, outcome)
    warnings.response(name, result.reply)
    this.writer.save([event])
    this.host.callEnded(queue, pending.call, outcome, usd ?? null)
    for (const counts of refusedCounts)
      warnings.warn(`${name} says it used ${counts}; ${describeBooked(usd, reservation)}`)
    this.stopOverrun(queue, usd, reservation)
    return usd === undefined ? 'unknown' : { usd }
  }

  /** A model whose server takes more than was reserved is called no more if a cost limit is to be kept. */
  stopOverrun(queue: ModelQueue, usd: number | undefined, reservation: CostReservation): void {
    if (!hasCostLimit(this.services) || queue.stopped !== null || !exceedsReservation(usd, reservation)) return
    queue.stopped = overrunCause(usd, reservation)
    this.release(queue)
  }

  /** Gives back what was booked for probes that no model had to send, since all its responses were in the cache. */
  async refund(queues: readonly ModelQueue[]): Promise<void> {
    for (const { unusedProbeUsd } of queues)
      if (unusedProbeUsd > 0) {
        await this.services.run.ledger.bookExtra(-unusedProbeUsd)
        this.services.budget.settle(0, -unusedProbeUsd)
      }
  }

  tellPeers(work: (limits: SharedLimits) => Promise<void>): void {
    work(this.services.run.ledger.sharedLimits).catch((error: unknown) => this.host.fail(error))
  }

  /** Gives back what a model has leased and not sent. */
  release(queue: ModelQueue): void {
    const calls = queue.takeUnsent()
    if (calls.length > 0)
      this.writer.save(calls.map(({ id, attempt }) => ({ kind: 'release', call: id, attempt, sent: false })))
  }
}

/** Saves what comes of calls; what cannot be saved is kept for one more try after all calls have ended. */
export class EventWriter {
  private readonly ledger: RunStore
  private readonly fail: (error: unknown) => void
  /** Nothing more is being saved. */
  private readonly idle: () => void
  private unsaved: RunEvent[] = []
  private saving = 0

  constructor(ledger: RunStore, on: { readonly fail: (error: unknown) => void; readonly idle: () => void }) {
    this.ledger = ledger
    this.fail = on.fail
    this.idle = on.idle
  }

  get busy(): boolean {
    return this.saving > 0
  }

  save(events: readonly RunEvent[]): void {
    this.saving++
    this.ledger.commit(events).then(
      () => this.saved(),
      (error: unknown) => {
        this.unsaved.push(...events)
        this.fail(error)
        this.saved()
      },
    )
  }

  private saved(): void {
    this.saving--
    if (this.saving === 0) this.idle()
  }

  /**
   * One more try, in the disk space that was reserved for it.
   * @throws the first error, with the number of lost responses
   */
  async flushOrThrow(place: ExecutionContext, error: unknown): Promise<never> {
    try {
      await place.release()
      await this.ledger.commit(this.unsaved)
      this.unsaved = []
    } catch {
      // The error below says how many are lost.
    }
    const lost = this.unsaved.filter((event) => event.kind === 'response').length
    if (lost === 0 || !isStoreError(error)) throw error
    throw new StoreError(error.code, `${error.message}; ${lost} responses that came in meanwhile could not be saved`, {
      cause: error,
    })
  }
}
