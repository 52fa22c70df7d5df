import type { Outcome } from '../../core/index.ts'
import type { Model } from '../../models/index.ts'
import type { LeasedCell } from '../../store/index.ts'
import type { Steering } from '../adaptive/adaptive-sampler.ts'
import type { PathAnswer } from '../adaptive/model-schedule.ts'
import { BatchWork } from '../batches/batch-work.ts'
import { type Control, LiveCalls } from '../calls/call-dispatcher.ts'
import { Saver } from '../calls/event-writer.ts'
import type { WorkRun } from '../folder/run.ts'
import { newTrouble, trafficKey } from '../limits/circuit-breaker.ts'
import type { RouteLimiter } from '../limits/concurrency-limiter.ts'
import type { Gate } from '../limits/rate-gate.ts'
import { UNTRIED } from '../limits/retry-state.ts'
import { Budget } from '../money/cost.ts'
import { sizeOf } from '../money/cost-reservation.ts'
import type { RunModel } from '../plan/resolve.ts'
import { openMeters } from '../progress/model-meter.ts'
import { ProgressMeter } from '../progress/progress.ts'
import { waitsOf } from '../progress/waits.ts'
import { rightness } from '../scoring/score.ts'
import type { ExecuteOptions, ExecuteResult } from './execute-options.ts'
import type { Looking, Place } from './execution-context.ts'
import { type Lane, openLanes, type Pending } from './model-queue.ts'
import { isAhead, nextLane } from './pick-queue.ts'
import { type Desk, Notes } from './run-services.ts'

/** Seconds between two looks at a batch. */
const POLL_S = 30
/** Seconds: a minute for lists and files of a provider to show what is there. */
const SETTLING_S = 60
/** How often run.json says how far the ledger is. */
const NOTE_MS = 60_000
/** How often a worker asks what the others have to tell. */
const NEWS_MS = 1000
/** How often a worker whose models wait for batches looks whether others left cells. */
const LOOK_MS = 2000
/** A computation in this process gives the event loop a turn after so many ms. */
const TICK_MS = 15

/**
 * The work on a run in this process: leases cells, sends calls out as far as limits and money allow, and saves what comes back. One
 * `finish` is one execution.
 */
export class Execution {
  private readonly run: WorkRun
  private readonly options: ExecuteOptions
  private readonly place: Place
  private readonly lanes: readonly Lane[]
  private readonly saver: Saver
  private readonly calls: LiveCalls
  private readonly budget: Budget
  private readonly meter: ProgressMeter
  private readonly notes = new Notes()
  private readonly batches: BatchWork
  /** Batches are still at work: money set aside for them may come back. */
  private batching = true
  /** Trouble here ends the work on batches too. */
  private readonly halted = new AbortController()
  private halt: 'interrupted' | 'budget' | 'decided' | 'failed' | null = null
  private readonly looking: Looking | null
  /** Models that its rule asks about. */
  private readonly compared: ReadonlySet<string> | null
  private readonly steering: Steering | null
  private trouble: unknown = null
  private tickBegan = 0
  private turns = 0
  private wake: NodeJS.Timeout | undefined
  private settle: (() => void) | null = null

  constructor(run: WorkRun, models: readonly Model[], options: ExecuteOptions, place: Place) {
    const { booked, looking, steering } = place
    this.run = run
    this.place = place
    this.looking = looking
    this.compared = looking?.watch.compared ?? null
    this.steering = steering
    this.options = options
    const routes = new Map<string, RouteLimiter>()
    const all = models.map((model, i) => ({ model, spec: run.file.models[i] as RunModel }))
    const batched = ({ spec }: { readonly spec: RunModel }): boolean =>
      spec.batch !== undefined && options.offline !== true
    const live = options.cancel === true ? [] : all.filter((each) => !batched(each))
    this.lanes = openLanes(run, live, routes, options)
    this.budget = new Budget(place.ceiling, booked)
    this.meter = new ProgressMeter(routes, options.onProgress, this.budget.ceiling, {
      waits: (lane) =>
        waitsOf(lane, this.lanes, { slower: this.ahead(lane), choosing: !this.waits(lane) && !lane.drained }),
      most: (model) => steering?.pilot.most(model) ?? null,
    })
    const { poll = POLL_S, settling = SETTLING_S, wait = true, cancel = false, stop, abort, random } = options
    const never = new AbortController().signal
    const desk: Desk = { run, budget: this.budget, meter: this.meter, notes: this.notes }
    this.saver = new Saver(run.ledger, { fail: (error) => this.fail(error), idle: () => this.next() })
    this.calls = new LiveCalls(desk, this.saver, this.control(), { owner: place.owner, random })
    this.batches = new BatchWork(desk, all.filter(batched), {
      owner: place.owner,
      leaseMs: place.leaseMs,
      pollMs: poll * 1000,
      settlingMs: settling * 1000,
      wait,
      cancel,
      lost: place.lost ?? new Map(),
      stop: AbortSignal.any([stop ?? never, abort ?? never, this.halted.signal]),
      abort: abort ?? never,
      random,
    })
  }

  private control(): Control {
    const halted = (): boolean => this.halt !== null
    return {
      get halted() {
        return halted()
      },
      stop: (why) => this.stop(why),
      fail: (error) => this.fail(error),
      pump: () => this.pump(),
      next: () => this.next(),
      news: () => this.news(),
      saw: (lane, pending, outcome, usd) => this.saw(lane, pending, outcome, usd),
    }
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
    const looking = setInterval(() => this.lookAgain(), LOOK_MS)
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
      if (this.halt === 'failed') await this.saver.rest(this.place, this.trouble)
      await this.calls.refund(this.lanes)
      this.looking?.watch.look()
      await this.looking?.note()
      await this.steering?.note()
    } finally {
      clearInterval(ticking)
      clearInterval(listening)
      clearInterval(looking)
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
      for (const lane of this.lanes)
        if (lane.appetite > 0 && !this.ahead(lane) && this.waits(lane)) void this.lease(lane, lane.appetite)
      for (let lane = this.turn(broke); lane !== null; lane = this.turn(broke)) {
        lane.turn = ++this.turns
        if (!this.send(lane)) broke.add(lane)
      }
      for (const lane of this.lanes) if (lane.gate !== null && !broke.has(lane)) void this.openGate(lane, lane.gate)
      // Money set aside for calls under way may come back, and what is free can be asked without any.
      if (
        this.halt === null &&
        broke.size > 0 &&
        !this.batching &&
        this.lanes.every((lane) => lane.finished || ((broke.has(lane) || this.ahead(lane)) && lane.inFlight === 0))
      )
        this.stop('budget')
      else this.wakeAfterPause()
    }
    this.meter.report(this.lanes, this.budget.usd)
    if (
      !this.saver.busy &&
      !this.sharing &&
      this.lanes.every((lane) => (this.halt === null ? lane.finished : lane.inFlight === 0 && !lane.leasing))
    )
      this.settle?.()
  }

  /** The next call of a lane. @returns false: the budget does not allow it, or its cell cannot be read. */
  private send(lane: Lane): boolean {
    const pending = lane.ready.shift() as Pending
    try {
      return this.calls.send(lane, pending)
    } catch (error) {
      lane.ready.unshift(pending)
      this.fail(error)
      return false
    }
  }

  /** Whose call goes out next; null: none may. */
  private turn(broke: ReadonlySet<Lane>): Lane | null {
    if (this.halt !== null) return null
    return nextLane(this.lanes, (lane) => !broke.has(lane) && !this.ahead(lane), this.looking !== null)
  }

  /** Of two models that are compared the faster one waits: what the slower was not asked yet tells nothing. */
  private ahead(lane: Lane): boolean {
    return this.compared !== null && isAhead(lane, this.lanes, this.compared)
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
      for (const cell of cells) lane.ready.push({ cell, tries: UNTRIED })
    } catch (error) {
      this.fail(error)
    }
    lane.leasing = false
    if (this.halt !== null || lane.broken !== null) this.calls.release(lane)
    this.pump()
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

  private size(lane: Lane, { cell }: Pending): number {
    return sizeOf(this.run.sources, lane, cell, lane.settingsOf(cell))
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
    this.news()
  }

  /** Others share the run, and batches are waited for: cells of a worker that died may have to be asked until they are over. */
  private get sharing(): boolean {
    return this.batching && this.run.ledger.keeping !== undefined
  }

  private lookAgain(): void {
    if (!this.sharing || this.halt !== null) return
    for (const lane of this.lanes) lane.drained = false
    this.news()
  }

  /** Something has changed from outside: goes on, if the work has begun. */
  private news(): void {
    if (this.settle !== null) this.pump()
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

  private stop(why: 'interrupted' | 'budget' | 'decided'): void {
    if (this.halt !== null) return
    this.halt = why
    for (const lane of this.lanes) this.calls.release(lane)
    this.next()
  }

  private fail(error: unknown): void {
    this.trouble ??= error
    if (this.halt === 'failed') return
    this.halt = 'failed'
    this.halted.abort()
    for (const lane of this.lanes) this.calls.release(lane)
  }

  /** Goes on soon: at once, or after a turn of the event loop when answers come without any waiting. */
  private next(): void {
    const now = performance.now()
    if (now - this.tickBegan < TICK_MS) {
      this.pump()
      return
    }
    setImmediate(() => {
      this.tickBegan = performance.now()
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
