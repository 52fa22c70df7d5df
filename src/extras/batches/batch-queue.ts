import { setTimeout as sleep } from 'node:timers/promises'
import { apiFailure, type Batching, type EndedState } from '../../models/batching/index.ts'
import { type Failure, failure, type Model } from '../../models/index.ts'
import { CircuitBreaker, type StopCause } from '../../runner/limits/circuit-breaker.ts'
import { backoff, SLOWED_PER_RETRY } from '../../runner/limits/concurrency-limiter.ts'
import type { RunModel } from '../../runner/plan/resolve.ts'
import type { RunServices } from '../../runner/schedule/execute-options.ts'
import { type BatchEvent, isStoreError, type OpenBatch, type RunEvent } from '../../store/index.ts'
import { BatchBuilder } from './batch-builder.ts'
import { findLostBatch } from './batch-ids.ts'
import { type BatchEnd, type BatchOptions, LeaseLost } from './batch-work.ts'
import { LineOutcomes } from './line-outcomes.ts'
import { draftLine, type LineDraft, lineId, newKey, released, timesOf } from './lines.ts'
import { Results, resultWarnings } from './results.ts'
import { causeOf, NOTHING_THERE, StalledBatches, unreadableCause } from './stalled-batches.ts'

/** Most open batches of one model. */
const MAX_OPEN = 16
/** Polls before a batch that the provider does not show is submitted again: its list may lag behind. */
const POLLS_BEFORE_RESUBMIT = 4
/** Reads of the results before a line that is not among them fails. */
const READS = 3
/** Polls in a row that do not find a batch, or its results, before its lines fail. */
const POLLS_BEFORE_GONE = 3

/** The batches of one model. Everything it needs to continue after a crash is in the ledger. */
export class BatchQueue {
  readonly spec: RunModel
  /** Why no further batch is submitted. */
  stopped: StopCause | null = null
  private readonly services: RunServices
  private readonly model: Model
  private readonly batching: Batching
  private readonly options: BatchOptions
  private readonly outcomes: LineOutcomes
  /** Watches polls. */
  private readonly pollBreaker = new CircuitBreaker()
  /** Batches cannot be polled any more. */
  private cannotPoll = false
  /** Since when batches without an id are looked for, in ms of `performance.now`. */
  private readonly sought = new Map<string, number>()
  private readonly gone = new Map<string, { readonly since: number; polls: number }>()
  private readonly cancelled = new Set<string>()
  private readonly stalled: StalledBatches
  private readonly next: BatchBuilder
  private refusals = 0
  private notBefore = 0
  private noPollBefore = 0

  constructor(services: RunServices, model: Model, batching: Batching, spec: RunModel, options: BatchOptions) {
    this.services = services
    this.model = model
    this.batching = batching
    this.spec = spec
    this.options = options
    this.next = new BatchBuilder(services, model, spec, batching.most, options)
    this.stalled = new StalledBatches(options.settlingMs)
    this.outcomes = new LineOutcomes(services, model, spec, options.cancel, (why) => {
      this.stopped ??= why
    })
  }

  /** Submits, polls and collects until nothing is left to do or to wait for, or the lease is lost. @throws what the store throws */
  async work(): Promise<BatchEnd | 'lease-lost'> {
    const end = await this.untilNothingIsLeft().catch((error: unknown) => {
      if (error instanceof LeaseLost) return 'lease-lost' as const
      throw error
    })
    await this.next.releaseCalls()
    return end
  }

  private async untilNothingIsLeft(): Promise<BatchEnd> {
    const { stop, wait, pollMs } = this.options
    for (;;) {
      if (!(await this.isOurs())) throw new LeaseLost()
      for (const batch of await this.open())
        if (!stop.aborted && Date.now() >= this.noPollBefore) await this.poll(batch)
      const sent = stop.aborted || this.options.cancel ? 'all' : await this.sendAll()
      const open = await this.open()
      const later = sent === 'later' && this.stopped === null
      if (open.length === 0 && !later) return sent === 'cost-limit' ? 'cost-limit' : 'completed'
      this.stopPolling(this.stalled.causeOf(open))
      // A batch that is gone is noticed within a minute, also without waiting for batches.
      const waits = wait || this.gone.size > 0
      if (stop.aborted || this.cannotPoll || (!waits && open.length > 0))
        return open.length > 0 ? 'batches-pending' : 'completed'
      await sleep(pollMs, undefined, { signal: stop }).catch(() => undefined)
    }
  }

  private open(): Promise<readonly OpenBatch[]> {
    return this.services.run.ledger.openBatches(this.spec.name)
  }

  /** Has no other worker the batch lease? */
  private readonly isOurs = (): Promise<boolean> =>
    this.services.run.ledger.batchLease.renew(this.spec.name, this.options.owner, this.options.leaseMs)

  /** @throws LeaseLost */
  private async book(event: BatchEvent): Promise<void> {
    if ((await this.services.run.ledger.recordBatch(event, this.options.owner)) === 'lost') throw new LeaseLost()
  }

  // ---- sending

  /** `later`: the provider accepts no more for now. */
  private async sendAll(): Promise<'all' | 'later' | 'cost-limit'> {
    const { stop } = this.options
    while (this.stopped === null && !stop.aborted) {
      if ((await this.open()).length >= MAX_OPEN || Date.now() < this.notBefore) return 'later'
      const { drafts, short } = await this.next.gather()
      if (stop.aborted) {
        await this.next.releaseCalls(drafts.map(({ call }) => call))
        return 'all'
      }
      if (drafts.length === 0) return short ? 'cost-limit' : 'all'
      const sent = await this.send(drafts)
      if (short || !sent) return 'cost-limit'
    }
    return 'all'
  }

  /**
   * The intent is on disk before anything is sent, and its reservation is booked from then on. @returns false: other workers
   * were faster, and the cost limit does not allow it any more
   */
  private async send(drafts: readonly LineDraft[]): Promise<boolean> {
    const { run, budget } = this.services
    const at = Date.now()
    const key = newKey(run.file.id)
    const lines = drafts.map(({ call, maxUsd }) => ({ call: call.id, attempt: call.attempt, maxUsd }))
    const intent = { kind: 'intended', key, model: this.spec.name, at, lines } as const
    const booking = await run.ledger.recordBatch(intent, this.options.owner)
    const total = drafts.reduce((sum, { maxUsd }) => sum + maxUsd, 0)
    budget.settle(total, booking === 'booked' ? total : 0)
    if (booking !== 'booked') {
      await this.next.releaseCalls(drafts.map(({ call }) => call))
      if (booking === 'lost') throw new LeaseLost()
      return false
    }
    this.services.meter.batched(drafts.length)
    await this.submit({ key, lines: drafts.length, intended: at }, drafts)
    return true
  }

  private async submit(
    intent: Pick<OpenBatch, 'key' | 'lines' | 'intended'>,
    drafts: readonly (LineDraft & { readonly no?: number })[],
  ): Promise<void> {
    const lines = drafts.map(({ body, no }, i) => ({ id: lineId(intent.key, no ?? i), body }))
    const sent = await this.batching.submit(intent, lines, this.options.abort, this.isOurs)
    if (sent.kind === 'submitted') {
      this.refusals = 0
      await this.book({ kind: 'accepted', key: intent.key, providerId: sent.remote, at: Date.now() })
    } else if (sent.kind === 'refused') await this.refused(intent.key, sent.failure)
    // Otherwise it stays an intent: the next polls find out.
    else this.pauseSubmitting(sent.failure)
  }

  /** The provider made no batch: its calls wait again. */
  private async refused(key: string, why: Failure): Promise<void> {
    await this.putBack(key, false)
    await this.book({ kind: 'over', key, status: why.message, at: Date.now() })
    this.pauseSubmitting(why)
  }

  /** No batch is submitted for a while, or any more. */
  private pauseSubmitting(why: Failure): void {
    this.services.meter.failure(this.spec.name, why, false)
    if (why.code === 'aborted') return
    this.refusals++
    const { retries } = this.services.run.file.limits
    const most = why.retry === 'slow-down' ? (retries + 1) * SLOWED_PER_RETRY : retries
    if (why.retry === 'never' || this.refusals > most) this.stopped = causeOf(why)
    else
      this.notBefore =
        Date.now() + Math.max(this.options.pollMs, backoff(this.refusals, why.waitMs, this.options.random))
  }

  /** Calls of a batch wait again; those that were never sent are free. */
  private async putBack(key: string, sent: boolean): Promise<void> {
    const { run, budget } = this.services
    for await (const lines of run.ledger.openBatchLines(key)) {
      await this.commit(lines.map(({ call }) => released(call, sent)))
      this.services.meter.batched(-lines.length)
      if (!sent) budget.settle(0, -lines.reduce((sum, { maxUsd }) => sum + maxUsd, 0))
    }
  }

  // ---- looking

  /** Advances a batch as far as possible now. Errors are left to the next poll. */
  private async poll(batch: OpenBatch): Promise<void> {
    try {
      if (batch.providerId === null) await this.search(batch)
      else {
        await this.follow(batch, batch.providerId)
        this.gone.delete(batch.providerId)
      }
      this.pollBreaker.succeeded()
    } catch (error) {
      if (isStoreError(error) || error instanceof LeaseLost) throw error
      const why = apiFailure(error)
      this.services.meter.failure(this.spec.name, why, false)
      this.noPollBefore = Date.now() + (why.waitMs ?? 0)
      if (why.http === 404 || why.http === 410) await this.missed(batch, why)
      else this.stopPolling(unreadableCause(this.pollBreaker.failed(why)))
    }
  }

  private stopPolling(why: StopCause | null): void {
    if (why === null) return
    this.stopped ??= why
    this.cannotPoll = true
  }

  /** A batch whose id never reached the ledger: found at the provider, or submitted again once it is certainly not there. */
  private async search(batch: OpenBatch): Promise<void> {
    const { ledger } = this.services.run
    const { pollMs, settlingMs, cancel, knownBatchIds, abort } = this.options
    const found = await findLostBatch(this.batching, batch, await ledger.knownBatchIds(), knownBatchIds, abort)
    this.stalled.clear(batch.key)
    if (found.kind === 'found') {
      await this.book({ kind: 'accepted', key: batch.key, providerId: found.remote, at: Date.now() })
      return this.follow({ ...batch, providerId: found.remote }, found.remote)
    }
    const held =
      found.kind === 'unclear' && found.open.length > 0 ? this.stalled.describeOpenCandidates(batch, found.open) : null
    if (held !== null) {
      this.services.warnings.warn(`${this.spec.name}: ${held}`)
      this.services.meter.failure(this.spec.name, { code: 'batch-lost', message: held }, false)
    }
    const late = Math.max(POLLS_BEFORE_RESUBMIT * pollMs, settlingMs)
    const ago = Math.min(Date.now() - batch.submittedAt, this.soughtFor(batch.key))
    if (ago < late || Date.now() < this.notBefore) return
    if (found.kind === 'unclear') {
      if (found.open.length === 0) this.stalled.markAmbiguous(batch, found.uncertain)
      return
    }
    if (cancel || this.stopped !== null) {
      await this.putBack(batch.key, false)
      return this.book({ kind: 'over', key: batch.key, status: 'never there', at: Date.now() })
    }
    await this.again(batch)
  }

  /** Ms for which a batch is looked for here. Another worker, with another clock, may have submitted it. */
  private soughtFor(key: string): number {
    if (!this.services.run.ledger.isShared) return Number.POSITIVE_INFINITY
    const since = this.sought.get(key) ?? performance.now()
    this.sought.set(key, since)
    return performance.now() - since
  }

  /** The same lines under the same key. */
  private async again(batch: OpenBatch): Promise<void> {
    const { run } = this.services
    const drafts: (LineDraft & { readonly no: number })[] = []
    for await (const lines of run.ledger.openBatchLines(batch.key))
      for (const { lineNo, call } of lines) {
        const made = await draftLine(run, this.model, this.spec, call)
        if ('kind' in made) await this.next.recordUnsent(call, made)
        else drafts.push({ ...made, no: lineNo })
      }
    await this.book({ kind: 'resubmitted', key: batch.key, at: Date.now() })
    await this.submit(batch, drafts)
  }

  private async follow(batch: OpenBatch, remote: string): Promise<void> {
    const { abort, cancel } = this.options
    const state = await this.batching.state(remote, abort)
    this.stalled.stateSeen(batch, state)
    if (state.kind === 'open' || state.kind === 'unknown') {
      if (cancel && !this.cancelled.has(remote)) await this.askToEnd(remote)
      return
    }
    if (state.kind === 'failed') return this.end(batch, state.status, state.failure, true)
    const results = await this.read(batch, remote, state)
    if (results === null) return
    const { status, early } = state
    const computed = early?.computed ?? Number.POSITIVE_INFINITY
    const missing = failure('batch-missing', `the batch ended (${status}) without a result for this line`, 'again')
    await this.end(batch, status, early !== undefined && results.computed >= computed ? early.why : missing, false)
  }

  /** A batch that exists and cannot be cancelled is waited for. */
  private async askToEnd(remote: string): Promise<void> {
    try {
      await this.batching.cancel(remote, this.options.abort)
    } catch (error) {
      const why = apiFailure(error)
      if (why.retry !== 'never' || why.code === 'aborted') throw error
      this.services.warnings.warn(
        `${this.spec.name}: batch ${remote} is not ended by its provider (${why.message}); it is waited for`,
      )
    }
    this.cancelled.add(remote)
  }

  /** A batch or its results are gone after several polls: its lines fail, and stay booked. */
  private async missed(batch: OpenBatch, why: Failure): Promise<void> {
    const { key, providerId } = batch
    if (providerId === null) {
      this.stopPolling(causeOf(why))
      return
    }
    const gone = this.gone.get(providerId) ?? { since: performance.now(), polls: 0 }
    this.gone.set(providerId, gone)
    gone.polls++
    if (gone.polls < POLLS_BEFORE_GONE || performance.now() - gone.since < this.options.settlingMs) return
    this.gone.delete(providerId)
    await this.end({ ...batch, key }, 'gone', failure('batch-gone', why.message, 'never'), false)
  }

  // ---- collecting

  /** Reads results; again if lines are missing, since a file that was cut in transfer polls whole. @returns null: stopped */
  private async read(batch: OpenBatch, remote: string, ended: EndedState): Promise<Results | null> {
    const { abort, stop, wait, pollMs, settlingMs } = this.options
    const pause = Math.max(wait ? pollMs : 0, settlingMs / (READS - 1))
    const results = new Results(batch)
    // What was read so far is kept, and a file may be long, or never end.
    const reading = AbortSignal.any([abort, stop])
    for (let reads = 1; ; reads++) {
      results.begin()
      for await (const page of this.batching.results(remote, reading, ended))
        await this.collect(batch, results.fresh(page))
      // Lines that were not computed never come.
      const enough = ended.early?.computed != null && results.computed >= ended.early.computed
      if (reads === READS || enough || !(await this.hasOpenLines(batch))) break
      await sleep(pause, undefined, { signal: stop }).catch(() => undefined)
      if (stop.aborted) return null
    }
    if (results.size === 0 && ended.early?.computed !== 0) this.stopped ??= NOTHING_THERE
    else
      for (const words of resultWarnings(`batch ${remote}`, results, ended.results))
        this.services.warnings.warn(`${this.spec.name}: ${words}`)
    return results
  }

  private async hasOpenLines({ key }: OpenBatch): Promise<boolean> {
    for await (const lines of this.services.run.ledger.openBatchLines(key)) if (lines.length > 0) return true
    return false
  }

  private async collect(batch: OpenBatch, results: ReturnType<Results['fresh']>): Promise<void> {
    const events: RunEvent[] = []
    const lines = await this.services.run.ledger.findBatchLines(
      batch.key,
      results.map(({ no }) => no),
    )
    const open = new Map(lines.map((line) => [line.lineNo, line]))
    for (const { no, result } of results) {
      const line = open.get(no)
      if (line !== undefined) events.push(...(await this.outcomes.of(batch, line, result)))
    }
    await this.commit(events)
  }

  /** Ends a batch that is over: its open lines fail. */
  private async end(batch: OpenBatch, status: string, why: Failure, whole: boolean): Promise<void> {
    const { ledger } = this.services.run
    const times = timesOf(batch)
    for await (const lines of ledger.openBatchLines(batch.key))
      await this.commit(lines.flatMap((line) => this.outcomes.failed(line, why, times)))
    await this.book({ kind: 'over', key: batch.key, status, at: Date.now() })
    if (whole && why.retry === 'never') this.stopped ??= causeOf(why)
    if (whole && why.retry === 'slow-down') this.notBefore = Date.now() + this.options.pollMs
  }

  /** @throws LeaseLost */
  private async commit(events: readonly RunEvent[]): Promise<void> {
    if (events.length === 0) return
    const { batchLease } = this.services.run.ledger
    if (!(await batchLease.commit(this.spec.name, this.options.owner, events))) throw new LeaseLost()
  }
}
