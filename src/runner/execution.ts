import type { Outcome } from '../core/index.ts'
import { LONGEST_WAIT_MS, type Model, type Settings, settingsText } from '../models/index.ts'
import type { Counts, LeasedCell, RunEvent, Traffic } from '../store/index.ts'
import { isStoreError, StoreError } from '../store/index.ts'
import type { Steering } from './adapt/open.ts'
import type { PathAnswer } from './adapt/path.ts'
import type { AdaptState } from './adapt/pilot.ts'
import { BatchWork } from './batches/batch-work.ts'
import { type Booking, bookingOf, callBounds } from './booking.ts'
import type { Cause } from './breaker.ts'
import { type CallResult, failureEvent, OpenCalls, responseEvent } from './call.ts'
import { Notes } from './desk.ts'
import { Gate } from './gate.ts'
import { Lane, type Pending } from './lane.ts'
import { backoff, RouteLimiter } from './limiter.ts'
import { openMeters } from './live/open.ts'
import { waitsOf } from './live/waits.ts'
import { Budget } from './money.ts'
import { newTrouble, trafficKey } from './neighbours.ts'
import { bookedText, isAbove, overrun, owedAbove } from './owed.ts'
import type { PlanProgress } from './plan.ts'
import { type Progress, ProgressMeter } from './progress.ts'
import type { RunModel } from './resolve.ts'
import { rightness } from './rightness.ts'
import type { WorkRun } from './run.ts'
import { LocalTurnstile } from './turnstile.ts'
import type { UntilState, Watch } from './until/watch.ts'

export interface ExecuteOptions {
  /** No further calls go out; those under way end and are saved. */
  readonly stop?: AbortSignal
  /** Calls under way are aborted too; their cells go back to waiting. */
  readonly abort?: AbortSignal
  readonly onPlan?: (progress: PlanProgress) => void
  /** At most five times a second, and once at the end. */
  readonly onProgress?: (progress: Progress) => void
  /** Calls at once to one provider, instead of the experiment's. */
  readonly concurrency?: number
  /** Stop before more than this is spent, in US dollars, instead of the experiment's limit. */
  readonly usd?: number
  /** false: all calls go out at once, without one ahead of them. */
  readonly preflight?: boolean
  /** false: the run is planned, and nothing asked. */
  readonly ask?: boolean
  /** Seconds between two looks at a batch; left out: 30. */
  readonly poll?: number
  /** false: batches are sent off, and not waited for: `resume` collects them. */
  readonly wait?: boolean
  /** Ask nothing more: end the batches that are with providers, and collect what they have done. */
  readonly cancel?: boolean
  /** Folder of answers that runs share: what was asked before is not asked again. Left out: none. */
  readonly cache?: string
  /** Nothing is asked of providers: only the cache answers, as if it were they. */
  readonly offline?: boolean
  /** For tests: a source of jitter. */
  readonly random?: () => number
}

export interface ExecuteResult {
  /**
   * `planned`: nothing was to be asked. `submitted`: batches are with their providers, and nothing else is left to do.
   * `decided`: the run knows what it was to find out, or an adaptive one has asked of every model what it would.
   */
  readonly status: 'done' | 'interrupted' | 'budget' | 'stopped' | 'submitted' | 'planned' | 'decided'
  /** What the looks of the run's rule saw, and what is known; absent where it has none. */
  readonly until?: UntilState
  /** What an adaptive run chose, and what is known of each model; absent for others. */
  readonly adapt?: AdaptState
  /** Why nothing more was asked of a model. */
  readonly stopped: { readonly [model: string]: Cause }
  readonly counts: Counts
  /** Settings that a model's route ignored. */
  readonly ignored: { readonly [model: string]: readonly string[] }
  /** US dollars booked for all attempts of the run. */
  readonly usd: number
  /** What providers said of their use that cannot be true, and what is booked for it, in words. */
  readonly doubts: readonly string[]
}

/** Seconds between two looks at a batch. */
const POLL_S = 30
/** Failures that ask to slow down are not the call's fault: many more of them are borne. */
const SLOWED_PER_RETRY = 20
/** For how long one call goes ahead of the others. */
const AHEAD_MS = 30_000
/** Cells that one model may be ahead of another where they are compared while they run. */
const LEAD = 128
/** How often run.json says how far the ledger is. */
const NOTE_MS = 60_000
/** How often a worker asks what the others have to tell. */
const NEWS_MS = 1000
/** A computation in this process gives the event loop a turn after so many ms. */
const TURN_MS = 15

/** Where a run is worked on. */
export interface Place {
  /** Of leases. */
  readonly owner: string
  readonly leaseMs: number
  /** US dollars; null: none, or the store keeps to it. */
  readonly ceiling: number | null
  /** Says now and then how far the run is. */
  note(): Promise<void>
  /** Lets go of the room that was kept for saving what is under way. */
  release(): Promise<void>
  /** US dollars that earlier processes booked. */
  readonly booked: number
  /** null: the run has no rule that ends it. */
  readonly looking: Looking | null
  /** null: what is asked next is not chosen. */
  readonly steering: Steering | null
}

/** A run's rule, and how its looks are written down. */
export interface Looking {
  readonly watch: Watch
  readonly note: () => Promise<void>
}

/** What was booked for a call that is over: its cost, or all that was set aside for it. */
type Outlay = 'free' | 'unknown' | { readonly usd: number }

/**
 * The work on a run in this process: leases cells, sends calls out as far as limits and money allow, and saves what comes back. One
 * `finish` is one execution.
 */
export class Execution {
  private readonly run: WorkRun
  private readonly options: ExecuteOptions
  private readonly place: Place
  private readonly lanes: readonly Lane[]
  private readonly calls = new OpenCalls()
  private readonly budget: Budget
  private readonly meter: ProgressMeter
  private readonly notes = new Notes()
  private readonly batches: BatchWork
  /** Batches are still at work: money set aside for them may come back. */
  private batching = true
  /** Trouble here ends the work on batches too. */
  private readonly halted = new AbortController()
  private unsaved: RunEvent[] = []
  private halt: 'interrupted' | 'budget' | 'decided' | 'failed' | null = null
  private readonly looking: Looking | null
  private readonly steering: Steering | null
  private trouble: unknown = null
  private saving = 0
  private turnBegan = 0
  private wake: NodeJS.Timeout | undefined
  private settle: (() => void) | null = null

  constructor(run: WorkRun, models: readonly Model[], options: ExecuteOptions, place: Place) {
    const { booked, looking, steering } = place
    this.run = run
    this.place = place
    this.looking = looking
    this.steering = steering
    this.options = options
    const most = options.concurrency ?? run.file.limits.concurrency
    const routes = new Map<string, RouteLimiter>()
    const all = models.map((model, i) => ({ model, spec: run.file.models[i] as RunModel }))
    const batched = ({ spec }: { readonly spec: RunModel }): boolean =>
      spec.batch !== undefined && options.offline !== true
    const turnstile = run.ledger.traffic ?? new LocalTurnstile()
    this.lanes = (options.cancel === true ? [] : all.filter((each) => !batched(each))).map((each) => {
      const { model, spec } = each
      const { start, most: own } = model.concurrency
      const limiter = routes.get(model.route) ?? new RouteLimiter(start, Math.min(own, most))
      routes.set(model.route, limiter)
      return new Lane(
        model,
        spec,
        limiter,
        new Map(spec.settings.map((settings) => [settingsText(settings), settings])),
        options.preflight ?? true,
        spec.rate === undefined ? null : new Gate(turnstile, trafficKey(model.route, spec.spec), spec.rate),
      )
    })
    this.budget = new Budget(place.ceiling, booked)
    this.meter = new ProgressMeter(routes, options.onProgress, this.budget.ceiling, {
      waits: (lane) => waitsOf(lane, { slower: this.ahead(lane), choosing: !this.waits(lane) && !lane.drained }),
      most: (model) => steering?.pilot.most(model) ?? null,
    })
    const { poll = POLL_S, wait = true, cancel = false, stop, abort, random } = options
    const never = new AbortController().signal
    this.batches = new BatchWork(
      { run, budget: this.budget, meter: this.meter, notes: this.notes },
      all.filter(batched),
      {
        pollMs: poll * 1000,
        wait,
        cancel,
        stop: AbortSignal.any([stop ?? never, abort ?? never, this.halted.signal]),
        abort: abort ?? never,
        random,
      },
    )
  }

  async finish(): Promise<ExecuteResult> {
    const { stop, abort } = this.options
    const onStop = (): void => {
      this.stop('interrupted')
      this.calls.breakOff()
    }
    const onAbort = (): void => {
      this.stop('interrupted')
      this.calls.abortAll()
    }
    stop?.addEventListener('abort', onStop)
    abort?.addEventListener('abort', onAbort)
    this.meter.begin(await this.run.ledger.counts(), await openMeters(this.run))
    // Also while nothing happens: what waits and why is visible.
    const ticking = setInterval(() => this.meter.report(this.lanes, this.budget.usd), 1000)
    const listening = setInterval(() => void this.listen(), NEWS_MS)
    const noting = setInterval(() => void this.place.note().catch(() => undefined), NOTE_MS)
    try {
      if (abort?.aborted === true) onAbort()
      else if (stop?.aborted === true) onStop()
      // What was answered before may be enough.
      this.looking?.watch.look()
      this.known()
      if (this.steering !== null) for (const lane of this.lanes) lane.drained = this.steering.pilot.over(lane.spec.name)
      const sent = this.sendBatches()
      await new Promise<void>((resolve) => {
        this.settle = resolve
        this.pump()
      })
      await sent
      await this.saveRest()
      this.looking?.watch.look()
      await this.looking?.note()
      await this.steering?.note()
    } finally {
      clearInterval(ticking)
      clearInterval(listening)
      clearInterval(noting)
      stop?.removeEventListener('abort', onStop)
      abort?.removeEventListener('abort', onAbort)
      clearTimeout(this.wake)
      this.meter.end(this.budget.usd)
    }
    const ignored = this.notes.ignoredSettings
    if (Object.keys(ignored).length > 0) await this.run.ledger.setMeta('ignored', JSON.stringify(ignored))
    const live = this.lanes.flatMap(({ spec, broken: cause }) => (cause === null ? [] : [[spec.name, cause] as const]))
    const broken = [...live, ...this.batches.broken]
    const again = broken.flatMap(([, cause]) => (cause.again ? [cause.code] : []))
    if (again.length > 0) await this.run.ledger.retry(again)
    const counts = await this.run.ledger.counts()
    return {
      status: this.status(broken.length > 0),
      counts,
      ignored,
      usd: this.budget.usd,
      doubts: this.notes.told,
      stopped: Object.fromEntries(broken),
      ...(this.looking === null ? {} : { until: this.looking.watch.state }),
      ...(this.steering === null ? {} : { adapt: this.steering.pilot.state }),
    }
  }

  private status(broken: boolean): ExecuteResult['status'] {
    if (this.halt === 'interrupted' || this.halt === 'budget' || this.halt === 'decided') return this.halt
    if (this.options.stop?.aborted === true || this.options.abort?.aborted === true) return 'interrupted'
    if (broken) return 'stopped'
    if (this.steering?.pilot.decided === true) return 'decided'
    if (this.batches.ended('budget')) return 'budget'
    return this.batches.ended('submitted') ? 'submitted' : 'done'
  }

  /** Batches are worked on beside the live calls. */
  private async sendBatches(): Promise<void> {
    try {
      await this.batches.work()
    } catch (error) {
      this.fail(error)
    }
    this.batching = false
    if (this.settle !== null) this.pump()
  }

  /** Sends out what may go out now, leases more, and ends when nothing is left. */
  private pump(): void {
    if (this.halt === null) {
      const broke = new Set<Lane>()
      for (const lane of this.lanes) {
        if (lane.appetite > 0 && !this.ahead(lane) && this.waits(lane)) void this.lease(lane, lane.appetite)
        while (lane.ready.length > 0 && lane.free > 0 && this.halt === null && !broke.has(lane)) {
          const pending = lane.ready.shift() as Pending
          if (!this.send(lane, pending)) broke.add(lane)
        }
        if (lane.gate !== null && !broke.has(lane)) void this.openGate(lane, lane.gate)
      }
      // Money set aside for calls under way may come back, and what is free can be asked without any.
      if (
        broke.size > 0 &&
        !this.batching &&
        this.lanes.every((lane) => lane.finished || (broke.has(lane) && lane.inFlight === 0))
      )
        this.stop('budget')
      else this.wakeAfterPause()
    }
    this.meter.report(this.lanes, this.budget.usd)
    if (
      this.saving === 0 &&
      this.lanes.every((lane) => (this.halt === null ? lane.finished : lane.inFlight === 0 && !lane.leasing))
    )
      this.settle?.()
  }

  /** Of two models that are compared the faster one waits: what the slower has not answered yet tells nothing. */
  private ahead(lane: Lane): boolean {
    if (this.looking === null) return false
    const others = this.lanes.filter((other) => other !== lane && !other.drained && other.broken === null)
    return others.some(({ leased }) => lane.leased > leased + LEAD)
  }

  /** Is there something to lease? Where it is chosen, not while all that was chosen is under way. */
  private waits(lane: Lane): boolean {
    return this.steering === null || this.steering.pilot.waits(lane.spec.name)
  }

  private async lease(lane: Lane, n: number): Promise<void> {
    lane.leasing = true
    const { owner, leaseMs } = this.place
    const { name } = lane.spec
    try {
      const cells = await (this.steering === null
        ? this.run.ledger.lease(n, owner, leaseMs, name)
        : this.steering.lease(name, n, owner, leaseMs))
      if (cells.length === 0) lane.drained = true
      lane.leased += cells.length
      for (const cell of cells) lane.ready.push({ cell, tried: 0, slowed: 0 })
    } catch (error) {
      this.fail(error)
    }
    lane.leasing = false
    if (this.halt !== null || lane.broken !== null) this.release(lane)
    this.pump()
  }

  /** False: the budget does not allow it. */
  private send(lane: Lane, pending: Pending): boolean {
    const settings = lane.settings.get(pending.cell.settings) ?? (JSON.parse(pending.cell.settings) as Settings)
    const booking = pending.booking ?? bookingOf(this.run.sources, lane, pending.cell, settings)
    const probes = lane.probes
    lane.short = !this.budget.reserve(booking.most + probes)
    if (lane.short) {
      lane.ready.unshift({ ...pending, booking })
      return false
    }
    this.budget.settle(probes, probes)
    lane.inFlight++
    lane.limiter.started()
    if (lane.ahead && lane.suspect === null) this.openLater(lane)
    const sent = lane.gate === null ? pending : { ...pending, passed: lane.gate.take() }
    void this.call(lane, sent, settings, booking, probes)
    return true
  }

  /** Asks the gate of a model for as many calls as could go out. */
  private async openGate(lane: Lane, gate: Gate): Promise<void> {
    const ready = lane.ready.slice(0, Math.max(0, lane.room))
    try {
      const news = await gate.ask(
        ready.length,
        (i) => (ready[i] === undefined ? 0 : this.size(lane, ready[i])),
        this.options.random ?? Math.random,
      )
      if (news) this.next()
    } catch (error) {
      this.fail(error)
      this.pump()
    }
  }

  /** The tokens that a call can take and bring. */
  private size(lane: Lane, { cell }: Pending): number {
    const settings = lane.settings.get(cell.settings) ?? (JSON.parse(cell.settings) as Settings)
    const { input, output } = callBounds(this.run.sources, lane, cell, settings)
    return input + (output ?? 0)
  }

  /** What other workers have to tell: a provider wants a pause, or they gave a model up. */
  private async listen(): Promise<void> {
    const { traffic } = this.run.ledger
    if (traffic === undefined || this.halt !== null) return
    const keys = this.lanes.flatMap(({ model, spec }) => [model.route, trafficKey(model.route, spec.spec)])
    // A look that fails is no trouble: the next is a second away, and whatever must be kept is asked for elsewhere.
    const all = await traffic.news([...new Set(keys)]).catch(() => [])
    for (const news of all)
      for (const lane of this.lanes) {
        const { model, spec } = lane
        if (news.key === model.route && news.pauseMs > lane.limiter.pause) lane.limiter.hold(news.pauseMs)
        if (news.key !== trafficKey(model.route, spec.spec) || model.remote !== true) continue
        const trouble = newTrouble(news, this.place.owner, lane.heard)
        if (trouble === null) continue
        lane.heard = trouble.at
        if (lane.broken === null) lane.doubt(trouble.cause)
      }
    if (this.settle !== null) this.pump()
  }

  /** Tells the other workers. */
  private tell(work: (traffic: Traffic) => Promise<void>): void {
    const { traffic } = this.run.ledger
    if (traffic !== undefined) work(traffic).catch((error: unknown) => this.fail(error))
  }

  /** A first answer may take long: whoever thinks for half a minute has accepted the key. */
  private openLater(lane: Lane): void {
    const timer = setTimeout(() => {
      lane.ahead = false
      if (this.settle !== null) this.pump()
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
        const result = await this.calls.ask(this.run, lane.model, pending.cell, settings, this.run.file.limits.timeout)
        outlay =
          result.reply.kind === 'answer'
            ? this.answered(lane, pending, result, booking)
            : this.failed(lane, pending, result, booking)
      } else outlay = 'free'
    } catch (error) {
      this.fail(error)
    }
    if (outlay === 'free') lane.gate?.settle(pending.passed ?? 0, 0)
    lane.inFlight--
    lane.limiter.ended()
    const usd = outlay === 'free' ? 0 : outlay === 'unknown' ? booking.most : outlay.usd
    this.budget.settle(booking.most, usd)
    this.meter.spent(lane.spec.name, usd)
    this.next()
  }

  /** What a call can cost is on disk before it goes out. @returns whether it may go out. */
  private async booked({ cell }: Pending, { most }: Booking, probes: number): Promise<boolean> {
    if (most === 0) return true
    try {
      if (probes > 0) await this.run.ledger.carry(probes)
      const attempt = { kind: 'attempt', cell: cell.id, attempt: cell.attempt, started: Date.now(), most } as const
      const { ledger } = this.run
      if (ledger.reserve === undefined) await ledger.commit([attempt])
      else if (!(await ledger.reserve(attempt))) this.stop('budget')
    } catch (error) {
      this.fail(error)
    }
    if (this.halt === null) return true
    this.save([{ kind: 'release', cell: cell.id, attempt: cell.attempt, sent: false }])
    return false
  }

  private answered(lane: Lane, pending: Pending, result: CallResult, booking: Booking): Outlay {
    if (result.reply.kind !== 'answer') return 'unknown'
    const event = responseEvent(this.run, lane.spec, pending.cell, result, booking)
    lane.limiter.succeeded()
    lane.breaker.succeeded()
    lane.answered()
    const { inputTokens, outputTokens } = event.response.usage
    if (inputTokens !== undefined && outputTokens !== undefined)
      lane.gate?.settle(pending.passed ?? 0, inputTokens + outputTokens)
    const { allowance } = result.reply
    if (allowance !== undefined) lane.limiter.allowed(allowance.requests, allowance.resetMs)
    this.meter.done(lane.spec.name, pending.cell.item.group, event.scored?.outcome ?? null)
    this.notes.ignores(lane.spec.name, result.reply.ignored)
    this.save([event])
    this.saw(lane, pending, event.scored?.outcome ?? null, event.response.usage.usd ?? null)
    const { usd, refused = [] } = event.response.usage
    for (const words of refused)
      this.notes.doubt(`${lane.spec.name} says it used ${words}; ${bookedText(usd, booking)}`)
    this.measure(lane, usd, booking)
    return usd === undefined ? 'unknown' : { usd }
  }

  /** A server that takes more than it is allowed to is asked nothing more where a limit is to be kept. */
  private measure(lane: Lane, usd: number | undefined, booking: Booking): void {
    const limited = this.budget.ceiling !== null || this.run.ledger.reserve !== undefined
    if (!limited || lane.broken !== null || !isAbove(usd, booking)) return
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
    if (reply.code === 'aborted' && this.halt !== null) {
      this.save([{ kind: 'release', cell: cell.id, attempt: cell.attempt, sent: true }])
      return outlay
    }
    const own = lane.broken === null ? lane.breaker.failed(reply) : null
    const shared = lane.broken === null && lane.suspect?.code === reply.code ? lane.suspect : null
    const cause = own ?? shared
    if (cause !== null) {
      if (own !== null)
        this.tell((traffic) =>
          traffic.broke(trafficKey(lane.model.route, lane.spec.spec), this.place.owner, JSON.stringify(own)),
        )
      lane.broken = cause
      this.release(lane)
    }
    const tried = pending.tried + (reply.retry === 'slow-down' ? 0 : 1)
    const slowed = pending.slowed + (reply.retry === 'slow-down' ? 1 : 0)
    const { retries } = this.run.file.limits
    const final = reply.retry === 'never' || tried > retries || slowed > (retries + 1) * SLOWED_PER_RETRY
    const wait = backoff(tried + slowed, reply.waitMs, this.options.random)
    if (reply.retry === 'slow-down') {
      lane.limiter.slowDown(reply.waitMs)
      const { waitMs } = reply
      if (waitMs !== null) this.tell((traffic) => traffic.pause(lane.model.route, Math.min(waitMs, LONGEST_WAIT_MS)))
    }
    this.meter.failure(lane.spec.name, reply, final)
    if (final) {
      this.save([failureEvent(cell, result, true, above)])
      this.saw(lane, pending, null, null)
      return outlay
    }
    const again: Pending = { cell: { ...cell, attempt: cell.attempt + 1 }, tried, slowed }
    if (this.halt !== null || lane.broken !== null) {
      // The failed attempt is over; the cell waits for another day.
      this.save([
        failureEvent(cell, result, false, above),
        { kind: 'release', cell: cell.id, attempt: cell.attempt, sent: true },
      ])
      return outlay
    }
    const timer = setTimeout(() => void this.again(lane, again), wait)
    lane.delayed.set(cell.id, { pending: again, timer, due: performance.now() + wait })
    this.save([failureEvent(cell, result, false, above)])
    return outlay
  }

  /** The next attempt is on disk before its request goes out. */
  private async again(lane: Lane, pending: Pending): Promise<void> {
    const { id, attempt } = pending.cell
    try {
      await this.run.ledger.commit([{ kind: 'attempt', cell: id, attempt, started: Date.now() }])
    } catch (error) {
      this.fail(error)
    }
    lane.delayed.delete(id)
    lane.ready.unshift(pending)
    if (this.halt !== null || lane.broken !== null) this.release(lane)
    this.pump()
  }

  /** A cell has ended: perhaps enough is known. */
  private saw(lane: Lane, { cell }: Pending, outcome: Outcome | null, usd: number | null): void {
    if (this.steering !== null) this.steer(this.steering, lane, cell, { right: outcome && rightness(outcome), usd })
    if (this.looking?.watch.ended(cell.item, cell.model, outcome, 'now') !== true) return
    this.looking.note().catch((error: unknown) => this.fail(error))
    this.known()
  }

  /** What comes next of a model may follow from it. */
  private steer({ pilot, note }: Steering, lane: Lane, { item, model }: LeasedCell, answer: PathAnswer): void {
    if (!pilot.ended(item.id, model, answer)) return
    note().catch((error: unknown) => this.fail(error))
    lane.drained = pilot.over(model)
  }

  private known(): void {
    if ((this.looking?.watch.verdict ?? null) !== null) this.stop('decided')
  }

  private save(events: readonly RunEvent[]): void {
    this.saving++
    this.run.ledger.commit(events).then(
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
    if (this.saving === 0) this.next()
  }

  /** Once more, after everything has ended, in the room that was kept for it. */
  private async saveRest(): Promise<void> {
    if (this.halt === 'failed') {
      try {
        await this.place.release()
        await this.run.ledger.commit(this.unsaved)
        this.unsaved = []
      } catch {
        // Told below, with how many are lost.
      }
      const lost = this.unsaved.filter((event) => event.kind === 'response').length
      if (lost === 0 || !isStoreError(this.trouble)) throw this.trouble
      throw new StoreError(
        this.trouble.code,
        `${this.trouble.message}; ${lost} responses that came in meanwhile could not be saved`,
        {
          cause: this.trouble,
        },
      )
    }
  }

  private stop(why: 'interrupted' | 'budget' | 'decided'): void {
    if (this.halt !== null) return
    this.halt = why
    for (const lane of this.lanes) this.release(lane)
    this.next()
  }

  private fail(error: unknown): void {
    this.trouble ??= error
    if (this.halt === 'failed') return
    this.halt = 'failed'
    this.halted.abort()
    for (const lane of this.lanes) this.release(lane)
  }

  private release(lane: Lane): void {
    const cells = lane.surrender()
    if (cells.length > 0)
      this.save(cells.map(({ id, attempt }) => ({ kind: 'release', cell: id, attempt, sent: false })))
  }

  /** Goes on soon: at once, or after a turn of the event loop when answers come without any waiting. */
  private next(): void {
    const now = performance.now()
    if (now - this.turnBegan < TURN_MS) {
      this.pump()
      return
    }
    setImmediate(() => {
      this.turnBegan = performance.now()
      this.pump()
    })
  }

  private wakeAfterPause(): void {
    let soonest = Number.POSITIVE_INFINITY
    for (const { ready, limiter, gate } of this.lanes) {
      const pause = Math.max(limiter.pause, gate?.pause ?? 0)
      if (ready.length > 0 && pause > 0) soonest = Math.min(soonest, pause)
    }
    // Another route may pause for less than the one that was waited for.
    clearTimeout(this.wake)
    this.wake = soonest === Number.POSITIVE_INFINITY ? undefined : setTimeout(() => this.pump(), soonest + 1)
  }
}
