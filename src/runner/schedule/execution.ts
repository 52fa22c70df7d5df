import type { Outcome } from '../../core/index.ts'
import type { Model } from '../../models/index.ts'
import type { LeasedCall } from '../../store/index.ts'
import { CallDispatcher, type DispatcherHost, EventWriter } from '../calls/call-dispatcher.ts'
import type { ActiveExtension } from '../extensions.ts'
import type { WorkRun } from '../folder/run.ts'
import { limitKey, newPeerFailure } from '../limits/circuit-breaker.ts'
import type { ConcurrencyLimiter } from '../limits/concurrency-limiter.ts'
import { NO_ATTEMPTS } from '../limits/concurrency-limiter.ts'
import type { RateGate } from '../limits/rate-gate.ts'
import { Budget } from '../money/cost.ts'
import { sizeOf } from '../money/cost-reservation.ts'
import type { RunModel } from '../plan/resolve.ts'
import { openMeters } from '../progress/model-meter.ts'
import { waitsOf } from '../progress/model-progress.ts'
import { ProgressMeter } from '../progress/progress.ts'
import type { ExecuteOptions, ExecuteResult, ExecutionContext } from './execute-options.ts'
import { type RunServices, Warnings } from './execute-options.ts'
import { type ModelQueue, openModelQueues, type PendingCall, pickQueue } from './model-queue.ts'

/** How often run.json says how far the ledger is. */
const RECORD_MS = 60_000
/** How often a worker asks what the others know of providers. */
const PEERS_MS = 1000
/** How often a worker that waits for batches looks for calls that others gave back. */
const LOOK_MS = 2000
/** Local computations give the event loop a turn after this many ms. */
const TICK_MS = 15

/**
 * The work on a run in this process: leases calls, sends them as far as limits and money allow, and saves what comes
 * back. One `finish` is one execution.
 */
export class Execution implements DispatcherHost {
  private readonly run: WorkRun
  private readonly options: ExecuteOptions
  private readonly context: ExecutionContext
  private readonly queues: readonly ModelQueue[]
  private readonly extensions: readonly ActiveExtension[]
  private readonly writer: EventWriter
  private readonly calls: CallDispatcher
  private readonly budget: Budget
  private readonly meter: ProgressMeter
  private readonly warnings = new Warnings()
  /** Extensions are at work beside the calls: money reserved by them may come back. */
  private besides = true
  /** An error here ends the work of extensions, too. */
  private readonly aborter = new AbortController()
  private halt: 'interrupted' | 'cost-limit' | 'stopped-early' | 'failed' | null = null
  private error: unknown = null
  private tickBegan = 0
  private sent = 0
  private wake: NodeJS.Timeout | undefined
  private settle: (() => void) | null = null

  constructor(run: WorkRun, models: readonly Model[], options: ExecuteOptions, context: ExecutionContext) {
    this.run = run
    this.context = context
    this.options = options
    const routes = new Map<string, ConcurrencyLimiter>()
    const all = models.map((model, i) => ({ model, spec: run.file.models[i] as RunModel }))
    this.budget = new Budget(context.costLimit, context.booked)
    this.meter = new ProgressMeter(routes, options.onProgress, this.budget.limit, {
      waits: (queue) =>
        waitsOf(queue, this.queues, {
          slower: this.heldBack(queue),
          choosing: !this.hasWork(queue) && !queue.drained,
        }),
      most: (model) => this.extensions.map((one) => one.maxCalls(model)).find((most) => most !== null) ?? null,
    })
    const services: RunServices = { run, budget: this.budget, meter: this.meter, warnings: this.warnings }
    this.writer = new EventWriter(run.ledger, { fail: (error) => this.fail(error), idle: () => this.next() })
    this.calls = new CallDispatcher(services, this.writer, this, context.owner, options.random)
    const work = {
      services,
      models: all,
      owner: context.owner,
      leaseMs: context.leaseMs,
      options,
      halted: this.aborter.signal,
      stop: (why: 'stopped-early') => this.stop(why),
      fail: (error: unknown) => this.fail(error),
    }
    this.extensions = context.extensions.flatMap((start) => start(work) ?? [])
    const elsewhere = new Set(this.extensions.flatMap(({ models: own }) => [...own]))
    const live = options.cancelBatches === true ? [] : all.filter(({ spec }) => !elsewhere.has(spec.name))
    this.queues = openModelQueues(run, live, routes, options)
  }

  get halted(): boolean {
    return this.halt !== null
  }

  async finish(): Promise<ExecuteResult> {
    const { stop, abort } = this.options
    const onStop = (): void => {
      this.stop('interrupted')
      this.calls.cancelLocal()
    }
    const onAbort = (): void => {
      this.stop('interrupted')
      this.calls.abortAll()
    }
    stop?.addEventListener('abort', onStop)
    abort?.addEventListener('abort', onAbort)
    this.meter.begin(await this.run.ledger.counts(), await openMeters(this.run, this.context.earlier))
    const timers = [
      // Also while nothing happens, so that it is visible what waits and why.
      setInterval(() => this.meter.report(this.queues, this.budget.usd), 1000),
      setInterval(() => void this.pollPeers(), PEERS_MS),
      setInterval(() => this.lookAgain(), LOOK_MS),
      setInterval(() => {
        this.context.recordProgress().catch((error: unknown) => {
          this.fail(error)
          this.next()
        })
      }, RECORD_MS),
    ]
    try {
      if (abort?.aborted === true) onAbort()
      else if (stop?.aborted === true) onStop()
      for (const extension of this.extensions) extension.begin(this.queues)
      const besides = this.workBesides()
      await new Promise<void>((resolve) => {
        this.settle = resolve
        this.pump()
      })
      await besides
      if (this.halt === 'failed') await this.writer.flushOrThrow(this.context, this.error)
      await this.calls.refund(this.queues)
      for (const extension of this.extensions) await extension.end()
    } finally {
      for (const timer of timers) clearInterval(timer)
      stop?.removeEventListener('abort', onStop)
      abort?.removeEventListener('abort', onAbort)
      clearTimeout(this.wake)
      this.meter.end(this.budget.usd)
    }
    return this.result()
  }

  private async result(): Promise<ExecuteResult> {
    const { ledger, redact } = this.run
    const ignoredSettings = this.warnings.ignoredSettings
    if (Object.keys(ignoredSettings).length > 0) await ledger.setMeta('ignored', JSON.stringify(ignoredSettings))
    const stopped = [
      ...this.queues.flatMap(({ spec, stopped: cause }) => (cause === null ? [] : [[spec.name, cause] as const])),
      ...this.extensions.flatMap((extension) => extension.stopped),
    ]
    const again = stopped.flatMap(([, cause]) => (cause.retryOnResume ? [cause.code] : []))
    if (again.length > 0) await ledger.retry(again)
    return {
      status: this.status(stopped.length > 0),
      counts: await ledger.counts(),
      ignoredSettings,
      costUsd: this.budget.usd,
      // Messages go to terminals and logs, and some providers name the key when they refuse it.
      warnings: this.warnings.list.map(redact.shapes),
      stoppedModels: Object.fromEntries(
        stopped.map(([model, { kind, message, advice }]) => [model, { kind, message: redact.shapes(message), advice }]),
      ),
      ...Object.assign({}, ...this.extensions.map(({ result }) => result)),
    }
  }

  private status(modelsStopped: boolean): ExecuteResult['status'] {
    if (this.halt === 'interrupted' || this.halt === 'cost-limit' || this.halt === 'stopped-early') return this.halt
    if (this.options.stop?.aborted === true || this.options.abort?.aborted === true) return 'interrupted'
    if (modelsStopped) return 'models-stopped'
    const endings = this.extensions.flatMap((extension) => extension.endings)
    return (
      (['stopped-early', 'cost-limit', 'batches-pending'] as const).find((ending) => endings.includes(ending)) ??
      'completed'
    )
  }

  /** What extensions do beside the calls. */
  private async workBesides(): Promise<void> {
    try {
      await Promise.all(this.extensions.map((extension) => extension.work()))
    } catch (error) {
      this.fail(error)
    }
    this.besides = false
    this.goOn()
  }

  /** Sends what may be sent now, leases more, and ends when nothing is left. */
  pump(): void {
    if (this.halt === null) {
      const overBudget = new Set<ModelQueue>()
      for (const queue of this.queues)
        if (queue.leaseSize > 0 && !this.heldBack(queue) && this.hasWork(queue)) void this.lease(queue, queue.leaseSize)
      for (let queue = this.pick(overBudget); queue !== null; queue = this.pick(overBudget)) {
        queue.lastTurn = ++this.sent
        if (!this.send(queue)) overBudget.add(queue)
      }
      for (const queue of this.queues)
        if (queue.gate !== null && !overBudget.has(queue)) void this.openGate(queue, queue.gate)
      // Money reserved for calls in flight may come back, and free models can be called without any.
      if (
        this.halt === null &&
        overBudget.size > 0 &&
        !this.besides &&
        this.queues.every(
          (queue) => queue.finished || ((overBudget.has(queue) || this.heldBack(queue)) && queue.inFlight === 0),
        )
      )
        this.stop('cost-limit')
      else this.wakeAfterPause()
    }
    this.meter.report(this.queues, this.budget.usd)
    if (
      !this.writer.busy &&
      !this.waitsForOthers &&
      this.queues.every((queue) => (this.halt === null ? queue.finished : queue.inFlight === 0 && !queue.leasing))
    )
      this.settle?.()
  }

  /** Sends the next call of a queue. @returns false: the cost limit does not allow it, or its item cannot be read. */
  private send(queue: ModelQueue): boolean {
    const pending = queue.ready.shift() as PendingCall
    try {
      return this.calls.send(queue, pending)
    } catch (error) {
      queue.ready.unshift(pending)
      this.fail(error)
      return false
    }
  }

  /** The queue whose call is sent next; null: none may be. */
  private pick(overBudget: ReadonlySet<ModelQueue>): ModelQueue | null {
    if (this.halt !== null) return null
    const inBlocks = this.extensions.some(({ comparesModels }) => comparesModels)
    return pickQueue(this.queues, (queue) => !overBudget.has(queue) && !this.heldBack(queue), inBlocks)
  }

  private heldBack(queue: ModelQueue): boolean {
    return this.extensions.some((extension) => extension.holdsBack(queue, this.queues))
  }

  private hasWork({ spec }: ModelQueue): boolean {
    return this.extensions.every((extension) => extension.hasWork(spec.name))
  }

  private async lease(queue: ModelQueue, n: number): Promise<void> {
    queue.leasing = true
    const { owner, leaseMs } = this.context
    const { name } = queue.spec
    try {
      const chosen = this.extensions.map((extension) => extension.lease(name, n)).find((leased) => leased !== null)
      const calls = await (chosen ?? this.run.ledger.lease(n, owner, leaseMs, name))
      if (calls.length === 0) queue.drained = true
      queue.leased += calls.length
      for (const call of calls) queue.ready.push({ call, retryState: NO_ATTEMPTS })
    } catch (error) {
      this.fail(error)
    }
    queue.leasing = false
    if (this.halt !== null || queue.stopped !== null) this.calls.release(queue)
    this.pump()
  }

  /** Asks the rate gate of a model for as many calls as could be sent. */
  private async openGate(queue: ModelQueue, gate: RateGate): Promise<void> {
    const ready = queue.ready.slice(0, Math.max(0, queue.room))
    const size = (i: number): number => {
      const call = ready[i]?.call
      return call === undefined ? 0 : sizeOf(this.run.sources, queue, call, queue.settingsOf(call))
    }
    try {
      if (await gate.request(ready.length, size, this.options.random ?? Math.random)) this.next()
    } catch (error) {
      this.fail(error)
      this.pump()
    }
  }

  /** What other workers know: a provider asked for a pause, or they stopped calling a model. */
  private async pollPeers(): Promise<void> {
    if (this.halt !== null) return
    const keys = this.queues.flatMap(({ model, spec }) => [model.route, limitKey(model.route, spec.spec)])
    // A poll that fails is no error: the next is a second away, and what must be kept is asked for elsewhere.
    const all = await this.run.ledger.sharedLimits.peerStatus([...new Set(keys)]).catch(() => [])
    if (all.length === 0) return
    for (const peer of all)
      for (const queue of this.queues) {
        const { model, spec } = queue
        if (peer.key === model.route && peer.pauseMs > queue.limiter.pause) queue.limiter.pauseFor(peer.pauseMs)
        if (peer.key !== limitKey(model.route, spec.spec) || model.remote !== true) continue
        const failure = newPeerFailure(peer, this.context.owner, queue.peerFailureSeenAt)
        if (failure === null) continue
        queue.peerFailureSeenAt = failure.at
        if (queue.stopped === null) queue.suspectPeerFailure(failure.cause)
      }
    this.goOn()
  }

  /** Workers share the run, and batches are waited for: calls of a worker that died may come back until these are over. */
  private get waitsForOthers(): boolean {
    return this.besides && this.run.ledger.isShared
  }

  private lookAgain(): void {
    if (!this.waitsForOthers || this.halt !== null) return
    for (const queue of this.queues) queue.drained = false
    this.goOn()
  }

  /** Continues the work, if it has begun: something has changed from outside. */
  goOn(): void {
    if (this.settle !== null) this.pump()
  }

  callEnded(queue: ModelQueue, call: LeasedCall, outcome: Outcome | null, usd: number | null): void {
    for (const extension of this.extensions) extension.callEnded(queue, call, outcome, usd)
  }

  stop(why: 'interrupted' | 'cost-limit' | 'stopped-early'): void {
    if (this.halt !== null) return
    this.halt = why
    for (const queue of this.queues) this.calls.release(queue)
    this.next()
  }

  fail(error: unknown): void {
    this.error ??= error
    if (this.halt === 'failed') return
    this.halt = 'failed'
    this.aborter.abort()
    for (const queue of this.queues) this.calls.release(queue)
  }

  /** Goes on soon: at once, or after a turn of the event loop when responses come without any waiting. */
  next(): void {
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
    for (const { ready, limiter, gate } of this.queues) {
      const pause = Math.max(limiter.pause, gate?.pause ?? 0)
      if (ready.length > 0 && pause > 0) soonest = Math.min(soonest, pause)
    }
    // Another route may pause for less than the one that was waited for.
    clearTimeout(this.wake)
    this.wake = soonest === Number.POSITIVE_INFINITY ? undefined : setTimeout(() => this.pump(), soonest + 1)
  }
}
