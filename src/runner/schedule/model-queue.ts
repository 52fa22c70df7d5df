import { type Model, type Settings, settingsText } from '../../models/index.ts'
import { type LeasedCell, settingsIn } from '../../store/index.ts'
import type { WorkRun } from '../folder/run.ts'
import { Breaker, type Cause, trafficKey } from '../limits/circuit-breaker.ts'
import { RouteLimiter } from '../limits/concurrency-limiter.ts'
import { Gate, LocalTurnstile } from '../limits/rate-gate.ts'
import type { Tries } from '../limits/retry-state.ts'
import { mostOf } from '../money/cost.ts'
import type { Booking } from '../money/cost-reservation.ts'
import type { RunModel } from '../plan/resolve.ts'
import type { ExecuteOptions } from './execute-options.ts'

/** A leased cell on its way. */
export interface Pending {
  readonly cell: LeasedCell
  readonly tries: Tries
  /** What it can cost, once worked out. */
  readonly booking?: Booking
  /** Tokens it was let through its gate with. */
  readonly passed?: number
  /** What another worker had said of its model when it went out. */
  readonly feared?: Cause | null
}

/** One model at work: its cells in hand. */
export class Lane {
  readonly model: Model
  readonly spec: RunModel
  readonly limiter: RouteLimiter
  readonly settings: ReadonlyMap<string, Settings>
  /** Ready to go out, in order. */
  readonly ready: Pending[] = []
  /** Waiting for their next attempt, until `due` in ms of `performance.now`. */
  readonly delayed = new Map<
    number,
    { readonly pending: Pending; readonly timer: NodeJS.Timeout; readonly due: number }
  >()
  inFlight = 0
  /** When its last call went out, counted over all models. */
  turn = 0
  /** Cells handed out so far. */
  leased = 0
  /** No cell of this model waits in the store. */
  drained = false
  leasing = false
  /** The budget does not allow its next call now. */
  short = false
  readonly breaker = new Breaker()
  /** Has the server shown that it can answer? Until then a call may be preceded by questions of the model's own. */
  proven = false
  /** US dollars booked for such questions, where nothing but kept answers came since: then none was asked. */
  unasked = 0
  /** Why nothing more is asked of it. */
  broken: Cause | null = null
  /** Why another worker asks nothing more of it: one call goes ahead, to find out whether that holds here. */
  suspect: Cause | null = null
  /** When the last such news was from, in ms of the store's clock. */
  heard = 0
  /** Where it has a rate. */
  readonly gate: Gate | null
  /** Nothing has come back yet: one call goes ahead of the others, to find out whether key and address are right. */
  ahead: boolean

  constructor(
    model: Model,
    spec: RunModel,
    limiter: RouteLimiter,
    settings: ReadonlyMap<string, Settings>,
    preflight: boolean,
    gate: Gate | null,
  ) {
    this.gate = gate
    this.ahead = preflight && model.remote === true
    this.model = model
    this.spec = spec
    this.limiter = limiter
    this.settings = settings
  }

  /** Does a server of this machine answer for it? */
  get isHere(): boolean {
    return / (?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/u.test(this.model.route)
  }

  /** US dollars that the model's own questions may cost together with the next call. */
  get probes(): number {
    return this.proven || this.model.probing === undefined ? 0 : mostOf(this.spec.price, this.model.probing)
  }

  settingsOf({ settings }: LeasedCell): Settings {
    return this.settings.get(settings) ?? (settingsIn(settings) as Settings)
  }

  /** Cells that were asked, whatever came of them. */
  get asked(): number {
    return this.leased - this.ready.length
  }

  /** No cell of it waits, neither in the store nor here. */
  get allAsked(): boolean {
    return this.drained && this.ready.length === 0
  }

  get inHand(): number {
    return this.ready.length + this.delayed.size + this.inFlight
  }

  /** How many more cells to lease: enough to keep all calls busy, but not more when many wait after failures. */
  get appetite(): number {
    if (this.drained || this.leasing || this.broken !== null) return 0
    const most = Math.max(64, this.limiter.limit * 2)
    const half = most / 2
    return this.ready.length > half || this.inHand > most + this.limiter.limit ? 0 : most
  }

  get finished(): boolean {
    return (this.drained || this.broken !== null) && this.inHand === 0 && !this.leasing
  }

  /** Calls that may go out now. */
  get free(): number {
    return this.gate === null ? this.room : Math.min(this.room, this.gate.open)
  }

  /** The same, whatever its rate. */
  get room(): number {
    return this.ahead ? Math.min(this.limiter.free(), 1 - this.inFlight) : this.limiter.free()
  }

  /** Another worker gave up: the next call goes alone. */
  doubt(suspect: Cause): void {
    this.suspect = suspect
    this.ahead = true
  }

  /** An answer came: what was feared when its call went out does not hold. Of later news it says nothing. */
  answered(feared: Cause | null): void {
    this.proven = true
    if (feared !== this.suspect) return
    this.ahead = false
    this.suspect = null
  }

  /** Takes back everything that is not under way. */
  surrender(): LeasedCell[] {
    const cells = this.ready.splice(0).map((pending) => pending.cell)
    for (const { pending, timer } of this.delayed.values()) {
      clearTimeout(timer)
      cells.push(pending.cell)
    }
    this.delayed.clear()
    return cells
  }
}

/** A lane for each model; those of one route share its limiter. */
export function openLanes(
  { file, ledger }: WorkRun,
  models: readonly { readonly model: Model; readonly spec: RunModel }[],
  routes: Map<string, RouteLimiter>,
  { concurrency: most = file.limits.concurrency, preflight = true }: ExecuteOptions,
): readonly Lane[] {
  const turnstile = ledger.traffic ?? new LocalTurnstile()
  return models.map(({ model, spec }) => {
    const { start, most: own } = model.concurrency
    const limiter = routes.get(model.route) ?? new RouteLimiter(start, Math.min(own, most))
    routes.set(model.route, limiter)
    const settings = new Map(spec.settings.map((each) => [settingsText(each), each]))
    const gate = spec.rate === undefined ? null : new Gate(turnstile, trafficKey(model.route, spec.spec), spec.rate)
    return new Lane(model, spec, limiter, settings, preflight, gate)
  })
}
