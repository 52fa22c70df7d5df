import { type Model, type Settings, settingsText } from '../../models/index.ts'
import { type LeasedCall, settingsIn } from '../../store/index.ts'
import type { WorkRun } from '../folder/run.ts'
import { CircuitBreaker, limitKey, type StopCause } from '../limits/circuit-breaker.ts'
import { ConcurrencyLimiter, type RetryState } from '../limits/concurrency-limiter.ts'
import { RateGate } from '../limits/rate-gate.ts'
import { maxCost } from '../money/cost.ts'
import type { CostReservation } from '../money/cost-reservation.ts'
import type { RunModel } from '../plan/resolve.ts'
import type { ExecuteOptions } from './execute-options.ts'

/** A leased call on its way to the provider. */
export interface PendingCall {
  readonly call: LeasedCall
  readonly retryState: RetryState
  /** What it can cost, once computed. */
  readonly reservation?: CostReservation
  /** Tokens that its rate gate granted. */
  readonly grantedTokens?: number
  /** Why another worker had stopped its model when it was sent. */
  readonly knownPeerFailure?: StopCause | null
}

/** The calls of one model that this process has leased. */
export class ModelQueue {
  readonly model: Model
  readonly spec: RunModel
  readonly limiter: ConcurrencyLimiter
  readonly settings: ReadonlyMap<string, Settings>
  /** Ready to be sent, in order. */
  readonly ready: PendingCall[] = []
  /** Waiting for their next attempt until `due`, in ms of `performance.now`. */
  readonly delayed = new Map<
    number,
    { readonly pending: PendingCall; readonly timer: NodeJS.Timeout; readonly due: number }
  >()
  inFlight = 0
  /** Number of its last call, counted over all models. */
  lastTurn = 0
  /** Calls leased so far. */
  leased = 0
  /** No call of this model waits in the store. */
  drained = false
  leasing = false
  /** The cost limit does not allow its next call now. */
  overCostLimit = false
  readonly breaker = new CircuitBreaker()
  /** Has it responded? Until then the model itself may send probes before a call. */
  hasAnswered = false
  /** US dollars booked for probes while only cached responses came: then no probe was sent. */
  unusedProbeUsd = 0
  /** Why it is called no more. */
  stopped: StopCause | null = null
  /** Why another worker calls it no more: one call is sent alone to find out whether that holds here, too. */
  peerFailure: StopCause | null = null
  /** Time of the last such report, in ms of the store's clock. */
  peerFailureSeenAt = 0
  /** null: it has no rate. */
  readonly gate: RateGate | null
  /** No response yet: one canary call is sent alone, to find out whether key and address are right. */
  awaitingCanary: boolean

  constructor(
    model: Model,
    spec: RunModel,
    limiter: ConcurrencyLimiter,
    settings: ReadonlyMap<string, Settings>,
    canary: boolean,
    gate: RateGate | null,
  ) {
    this.gate = gate
    this.awaitingCanary = canary && model.remote === true
    this.model = model
    this.spec = spec
    this.limiter = limiter
    this.settings = settings
  }

  /** Does a server on this machine answer it? */
  get isLocalServer(): boolean {
    return / (?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/u.test(this.model.route)
  }

  /** US dollars that probes of the model may cost beside the next call. */
  get probeUsd(): number {
    return this.hasAnswered || this.model.probing === undefined ? 0 : maxCost(this.spec.price, this.model.probing)
  }

  settingsOf({ settings }: LeasedCall): Settings {
    return this.settings.get(settings) ?? (settingsIn(settings) as Settings)
  }

  /** Calls that were sent, whatever came of them. */
  get sentCalls(): number {
    return this.leased - this.ready.length
  }

  /** None of its calls waits, neither in the store nor here. */
  get allSent(): boolean {
    return this.drained && this.ready.length === 0
  }

  get inHand(): number {
    return this.ready.length + this.delayed.size + this.inFlight
  }

  /** How many more calls to lease: enough to keep all slots busy, but none while many wait after failures. */
  get leaseSize(): number {
    if (this.drained || this.leasing || this.stopped !== null) return 0
    const most = Math.max(64, this.limiter.limit * 2)
    const half = most / 2
    return this.ready.length > half || this.inHand > most + this.limiter.limit ? 0 : most
  }

  get finished(): boolean {
    return (this.drained || this.stopped !== null) && this.inHand === 0 && !this.leasing
  }

  /** Calls that may be sent now. */
  get free(): number {
    return this.gate === null ? this.room : Math.min(this.room, this.gate.open)
  }

  /** The same without its rate gate. */
  get room(): number {
    return this.awaitingCanary ? Math.min(this.limiter.free(), 1 - this.inFlight) : this.limiter.free()
  }

  /** Another worker stopped it: the next call is sent alone. */
  suspectPeerFailure(peerFailure: StopCause): void {
    this.peerFailure = peerFailure
    this.awaitingCanary = true
  }

  /** A response came: the peer failure that was known when its call was sent does not hold here. Later ones may. */
  answered(feared: StopCause | null): void {
    this.hasAnswered = true
    if (feared !== this.peerFailure) return
    this.awaitingCanary = false
    this.peerFailure = null
  }

  /** Removes all calls that are not in flight. */
  takeUnsent(): LeasedCall[] {
    const calls = this.ready.splice(0).map((pending) => pending.call)
    for (const { pending, timer } of this.delayed.values()) {
      clearTimeout(timer)
      calls.push(pending.call)
    }
    this.delayed.clear()
    return calls
  }
}

/** A queue per model; those of one route share its limiter. */
export function openModelQueues(
  { file, ledger }: WorkRun,
  models: readonly { readonly model: Model; readonly spec: RunModel }[],
  routes: Map<string, ConcurrencyLimiter>,
  { concurrency: most = file.limits.concurrency, canary = true }: ExecuteOptions,
): readonly ModelQueue[] {
  return models.map(({ model, spec }) => {
    const { start, most: own } = model.concurrency
    const limiter = routes.get(model.route) ?? new ConcurrencyLimiter(start, Math.min(own, most))
    routes.set(model.route, limiter)
    const settings = new Map(spec.settings.map((each) => [settingsText(each), each]))
    const gate =
      spec.rate === undefined ? null : new RateGate(ledger.sharedLimits, limitKey(model.route, spec.spec), spec.rate)
    return new ModelQueue(model, spec, limiter, settings, canary, gate)
  })
}

/** Calls by which one model may lead another while they are compared. */
const LEAD = 128

/**
 * Is a model so far ahead of a compared one that it has to wait? Nobody waits for a model that is not compared, except
 * models of the same local server, which would never let it have a turn otherwise.
 */
export const exceedsLead = (queue: ModelQueue, queues: readonly ModelQueue[], compared: ReadonlySet<string>): boolean =>
  queues.some(
    (other) =>
      other !== queue &&
      other.stopped === null &&
      !other.allSent &&
      (compared.has(other.spec.name) || (queue.isLocalServer && other.limiter === queue.limiter)) &&
      queue.sentCalls >= other.sentCalls + LEAD,
  )

/**
 * The queue that sends the next call: the one with the fewest calls in flight, among these the one that sent least recently,
 * so that models of one provider share its limit. A local server may hold only one model and be slow to load another: there
 * the first with a ready call goes on; of compared models the one that sent last, until it leads by too much.
 */
export function pickQueue(
  queues: readonly ModelQueue[],
  may: (queue: ModelQueue) => boolean,
  compared: boolean,
): ModelQueue | null {
  const goesOn = (queue: ModelQueue, other: ModelQueue): boolean =>
    compared && queue.lastTurn !== other.lastTurn
      ? queue.lastTurn > other.lastTurn
      : queues.indexOf(queue) < queues.indexOf(other)
  const able = queues.filter((queue) => queue.ready.length > 0 && queue.free > 0 && may(queue))
  let next: ModelQueue | null = null
  for (const queue of able) {
    if (queue.isLocalServer && able.some((other) => other.limiter === queue.limiter && goesOn(other, queue))) continue
    if (next === null) next = queue
    else if (queue.inFlight < next.inFlight || (queue.inFlight === next.inFlight && queue.lastTurn < next.lastTurn))
      next = queue
  }
  return next
}
