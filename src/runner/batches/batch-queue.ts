import { setTimeout as sleep } from 'node:timers/promises'
import { apiFailure, type Batching, type EndedState, type Failure, failure, type Model } from '../../models/index.ts'
import { type BatchEvent, isStoreError, type OpenBatch, type RunEvent } from '../../store/index.ts'
import { Breaker, type Cause } from '../limits/circuit-breaker.ts'
import { backoff, SLOWED_PER_RETRY } from '../limits/concurrency-limiter.ts'
import type { RunModel } from '../plan/resolve.ts'
import type { Desk } from '../schedule/run-services.ts'
import { NextBatch } from './batch-builder.ts'
import { searched } from './batch-ids.ts'
import { type BatchEnd, type BatchOptions, isTakenOver, TakenOver } from './batch-work.ts'
import { LineOutcomes } from './line-outcomes.ts'
import { type Draft, draft, lineId, newKey, released, timesOf } from './lines.ts'
import { doubtsOf, Results } from './results.ts'
import { causeOf, NOTHING_THERE, Stuck, unseen } from './stalled-batches.ts'

/** Batches of one model that are there at once. */
const MOST_OPEN = 16
/** So many looks pass before a batch that is not there is sent off once more: it may show late in the provider's list. */
const LOOKS_BEFORE_AGAIN = 4
/** How often results are read before a line that is not among them is given up. */
const READS = 3
/** Looks in a row at a batch, or at its results, that is not there any more. */
const LOOKS_BEFORE_GONE = 3

/** One model that is asked in batches. Everything it needs to go on is in the ledger. */
export class BatchLane {
  readonly spec: RunModel
  /** Why nothing more is sent off. */
  broken: Cause | null = null
  private readonly desk: Desk
  private readonly model: Model
  private readonly batching: Batching
  private readonly options: BatchOptions
  private readonly outcomes: LineOutcomes
  /** Watches looks at batches. */
  private readonly lookBreaker = new Breaker()
  /** Batches there cannot be looked at any more. */
  private blind = false
  /** Since when batches without a name are looked for, in ms of `performance.now`. */
  private readonly sought = new Map<string, number>()
  private readonly gone = new Map<string, { readonly since: number; looks: number }>()
  private readonly cancelled = new Set<string>()
  private readonly stuck: Stuck
  private readonly next: NextBatch
  private refusals = 0
  private notBefore = 0
  private noLookBefore = 0

  constructor(desk: Desk, model: Model, batching: Batching, spec: RunModel, options: BatchOptions) {
    this.desk = desk
    this.model = model
    this.batching = batching
    this.spec = spec
    this.options = options
    this.next = new NextBatch(desk, model, spec, batching.most, options)
    this.stuck = new Stuck(options.settlingMs)
    this.outcomes = new LineOutcomes(desk, model, spec, options.cancel, (why) => {
      this.broken ??= why
    })
  }

  /** Sends off, looks, collects, until nothing is left to do or to wait for, or another worker does. @throws what the store throws */
  async work(): Promise<BatchEnd | 'taken-over'> {
    const end = await this.untilNothingIsLeft().catch((error: unknown) => {
      if (isTakenOver(error)) return 'taken-over' as const
      throw error
    })
    await this.next.giveBack()
    return end
  }

  private async untilNothingIsLeft(): Promise<BatchEnd> {
    const { stop, wait, pollMs } = this.options
    for (;;) {
      if (!(await this.isOurs())) throw new TakenOver()
      for (const batch of await this.open())
        if (!stop.aborted && Date.now() >= this.noLookBefore) await this.look(batch)
      const sent = stop.aborted || this.options.cancel ? 'all' : await this.sendAll()
      const open = await this.open()
      const later = sent === 'later' && this.broken === null
      if (open.length === 0 && !later) return sent === 'budget' ? 'budget' : 'done'
      this.closeEyes(this.stuck.causeOf(open))
      // What is not there any more is found out in a minute, by who does not wait too.
      const waits = wait || this.gone.size > 0
      if (stop.aborted || this.blind || (!waits && open.length > 0)) return open.length > 0 ? 'submitted' : 'done'
      await sleep(pollMs, undefined, { signal: stop }).catch(() => undefined)
    }
  }

  private open(): Promise<readonly OpenBatch[]> {
    return this.desk.run.ledger.openBatches(this.spec.name)
  }

  /** Does no other worker look after these batches? */
  private readonly isOurs = async (): Promise<boolean> => {
    const { owner, leaseMs } = this.options
    return (await this.desk.run.ledger.keeping?.hold(this.spec.name, owner, leaseMs)) ?? true
  }

  /** @throws TakenOver where another worker looks after these batches by now */
  private async book(event: BatchEvent): Promise<void> {
    if ((await this.desk.run.ledger.book(event, this.options.owner)) === 'lost') throw new TakenOver()
  }

  // ---- sending

  /** `later`: the provider takes no more for now. */
  private async sendAll(): Promise<'all' | 'later' | 'budget'> {
    const { stop } = this.options
    while (this.broken === null && !stop.aborted) {
      if ((await this.open()).length >= MOST_OPEN || Date.now() < this.notBefore) return 'later'
      const { drafts, short } = await this.next.gather()
      if (stop.aborted) {
        await this.next.giveBack(drafts.map(({ cell }) => cell))
        return 'all'
      }
      if (drafts.length === 0) return short ? 'budget' : 'all'
      const sent = await this.send(drafts)
      if (short || !sent) return 'budget'
    }
    return 'all'
  }

  /**
   * The intent is on disk before anything is sent, and what it can cost counts as spent from then on. @returns false: other workers
   * were faster, and the budget does not hold it any more.
   */
  private async send(drafts: readonly Draft[]): Promise<boolean> {
    const { run, budget } = this.desk
    const at = Date.now()
    const key = newKey(run.file.id ?? run.file.created)
    const lines = drafts.map(({ cell, most }) => ({ cell: cell.id, attempt: cell.attempt, most }))
    const intent = { kind: 'intended', key, model: this.spec.name, at, lines } as const
    const said = await run.ledger.book(intent, this.options.owner)
    const total = drafts.reduce((sum, { most }) => sum + most, 0)
    budget.settle(total, said === 'booked' ? total : 0)
    if (said !== 'booked') {
      await this.next.giveBack(drafts.map(({ cell }) => cell))
      if (said === 'lost') throw new TakenOver()
      return false
    }
    this.desk.meter.batched(drafts.length)
    await this.submit({ key, lines: drafts.length, intended: at }, drafts)
    return true
  }

  private async submit(
    intent: Pick<OpenBatch, 'key' | 'lines' | 'intended'>,
    drafts: readonly (Draft & { readonly no?: number })[],
  ): Promise<void> {
    const lines = drafts.map(({ body, no }, i) => ({ id: lineId(intent.key, no ?? i), body }))
    const sent = await this.batching.submit(intent, lines, this.options.abort, this.isOurs)
    if (sent.kind === 'submitted') {
      this.refusals = 0
      await this.book({ kind: 'submitted', key: intent.key, remote: sent.remote, at: Date.now() })
    } else if (sent.kind === 'refused') await this.refused(intent.key, sent.failure)
    // Else it stays an intent: the next looks tell.
    else this.setBack(sent.failure)
  }

  /** Nothing was made there: all waits again, for later or for another day. */
  private async refused(key: string, why: Failure): Promise<void> {
    await this.putBack(key, false)
    await this.book({ kind: 'over', key, status: why.message, at: Date.now() })
    this.setBack(why)
  }

  /** Nothing goes out for a while, or any more. */
  private setBack(why: Failure): void {
    this.desk.meter.failure(this.spec.name, why, false)
    if (why.code === 'aborted') return
    this.refusals++
    const { retries } = this.desk.run.file.limits
    const most = why.retry === 'slow-down' ? (retries + 1) * SLOWED_PER_RETRY : retries
    if (why.retry === 'never' || this.refusals > most) this.broken = causeOf(why)
    else
      this.notBefore =
        Date.now() + Math.max(this.options.pollMs, backoff(this.refusals, why.waitMs, this.options.random))
  }

  /** Cells of a batch wait again; those that were never sent are free. */
  private async putBack(key: string, sent: boolean): Promise<void> {
    const { run, budget } = this.desk
    for await (const lines of run.ledger.openLines(key)) {
      await this.commit(lines.map(({ cell }) => released(cell, sent)))
      this.desk.meter.batched(-lines.length)
      if (!sent) budget.settle(0, -lines.reduce((sum, { most }) => sum + most, 0))
    }
  }

  // ---- looking

  /** Brings a batch as far as it will go now. Trouble on the way is for the next look. */
  private async look(batch: OpenBatch): Promise<void> {
    try {
      if (batch.remote === null) await this.search(batch)
      else {
        await this.follow(batch, batch.remote)
        this.gone.delete(batch.remote)
      }
      this.lookBreaker.succeeded()
    } catch (error) {
      if (isStoreError(error) || isTakenOver(error)) throw error
      const why = apiFailure(error)
      this.desk.meter.failure(this.spec.name, why, false)
      this.noLookBefore = Date.now() + (why.waitMs ?? 0)
      if (why.http === 404 || why.http === 410) await this.missed(batch, why)
      else this.closeEyes(unseen(this.lookBreaker.failed(why)))
    }
  }

  private closeEyes(why: Cause | null): void {
    if (why === null) return
    this.broken ??= why
    this.blind = true
  }

  /** A batch whose name never reached the ledger: found there and attached, or sent once more when it is sure not to be there. */
  private async search(batch: OpenBatch): Promise<void> {
    const { ledger } = this.desk.run
    const { pollMs, settlingMs, cancel, lost, abort } = this.options
    const found = await searched(this.batching, batch, { known: await ledger.remotes(), lost }, abort)
    this.stuck.cleared(batch.key)
    if (found.kind === 'found') {
      await this.book({ kind: 'submitted', key: batch.key, remote: found.remote, at: Date.now() })
      return this.follow({ ...batch, remote: found.remote }, found.remote)
    }
    const held = found.kind === 'unclear' && found.open.length > 0 ? this.stuck.held(batch, found.open) : null
    if (held !== null) {
      this.desk.notes.doubt(`${this.spec.name}: ${held}`)
      this.desk.meter.failure(this.spec.name, { code: 'batch-lost', message: held }, false)
    }
    const late = Math.max(LOOKS_BEFORE_AGAIN * pollMs, settlingMs)
    const ago = Math.min(Date.now() - batch.tried, this.soughtFor(batch.key))
    if (ago < late || Date.now() < this.notBefore) return
    if (found.kind === 'unclear') {
      if (found.open.length === 0) this.stuck.doubted(batch, found.doubts)
      return
    }
    if (cancel || this.broken !== null) {
      await this.putBack(batch.key, false)
      return this.book({ kind: 'over', key: batch.key, status: 'never there', at: Date.now() })
    }
    await this.again(batch)
  }

  /** Ms for which a batch is looked for here. Another worker may have sent it off, by a clock that goes ahead of ours or behind it. */
  private soughtFor(key: string): number {
    if (this.desk.run.ledger.keeping === undefined) return Number.POSITIVE_INFINITY
    const since = this.sought.get(key) ?? performance.now()
    this.sought.set(key, since)
    return performance.now() - since
  }

  /** The same lines under the same key. */
  private async again(batch: OpenBatch): Promise<void> {
    const { run } = this.desk
    const drafts: (Draft & { readonly no: number })[] = []
    for await (const lines of run.ledger.openLines(batch.key))
      for (const { no, cell } of lines) {
        const made = await draft(run, this.model, this.spec, cell)
        if ('kind' in made) await this.next.unsent(cell, made)
        else drafts.push({ ...made, no })
      }
    await this.book({ kind: 'tried', key: batch.key, at: Date.now() })
    await this.submit(batch, drafts)
  }

  private async follow(batch: OpenBatch, remote: string): Promise<void> {
    const { abort, cancel } = this.options
    const state = await this.batching.state(remote, abort)
    this.stuck.saw(batch, state)
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

  /** One that was just seen and cannot be ended is waited for: that it is not there says only who is asked to end it. */
  private async askToEnd(remote: string): Promise<void> {
    try {
      await this.batching.cancel(remote, this.options.abort)
    } catch (error) {
      const why = apiFailure(error)
      if (why.retry !== 'never' || why.code === 'aborted') throw error
      this.desk.notes.doubt(
        `${this.spec.name}: batch ${remote} is not ended by its provider (${why.message}); it is waited for`,
      )
    }
    this.cancelled.add(remote)
  }

  /** A batch that is not there any more, or its results, looked for again and again: its lines are given up, and stay booked. */
  private async missed(batch: OpenBatch, why: Failure): Promise<void> {
    const { key, remote } = batch
    if (remote === null) {
      this.closeEyes(causeOf(why))
      return
    }
    const gone = this.gone.get(remote) ?? { since: performance.now(), looks: 0 }
    this.gone.set(remote, gone)
    gone.looks++
    if (gone.looks < LOOKS_BEFORE_GONE || performance.now() - gone.since < this.options.settlingMs) return
    this.gone.delete(remote)
    await this.end({ ...batch, key }, 'gone', failure('batch-gone', why.message, 'never'), false)
  }

  // ---- collecting

  /** Reads results; once more where lines are missing, since a file that was cut off on its way looks whole. @returns null: stopped */
  private async read(batch: OpenBatch, remote: string, said: EndedState): Promise<Results | null> {
    const { abort, stop, wait, pollMs, settlingMs } = this.options
    const pause = Math.max(wait ? pollMs : 0, settlingMs / (READS - 1))
    const results = new Results(batch)
    // What is read so far is kept, and a file may be long, or never end.
    const reading = AbortSignal.any([abort, stop])
    for (let reads = 1; ; reads++) {
      results.begin()
      for await (const page of this.batching.results(remote, reading, said))
        await this.collect(batch, results.fresh(page))
      // What was not computed comes at no reading.
      const enough = said.early?.computed != null && results.computed >= said.early.computed
      if (reads === READS || enough || !(await this.hasOpenLines(batch))) break
      await sleep(pause, undefined, { signal: stop }).catch(() => undefined)
      if (stop.aborted) return null
    }
    if (results.size === 0 && said.early?.computed !== 0) this.broken ??= NOTHING_THERE
    else
      for (const words of doubtsOf(`batch ${remote}`, results, said.results))
        this.desk.notes.doubt(`${this.spec.name}: ${words}`)
    return results
  }

  private async hasOpenLines({ key }: OpenBatch): Promise<boolean> {
    for await (const lines of this.desk.run.ledger.openLines(key)) if (lines.length > 0) return true
    return false
  }

  private async collect(batch: OpenBatch, results: ReturnType<Results['fresh']>): Promise<void> {
    const events: RunEvent[] = []
    const lines = await this.desk.run.ledger.openLinesOf(
      batch.key,
      results.map(({ no }) => no),
    )
    const open = new Map(lines.map((line) => [line.no, line]))
    for (const { no, result } of results) {
      const line = open.get(no)
      if (line !== undefined) events.push(...(await this.outcomes.of(batch, line, result)))
    }
    await this.commit(events)
  }

  /** What is left of a batch that is over. */
  private async end(batch: OpenBatch, status: string, why: Failure, whole: boolean): Promise<void> {
    const { ledger } = this.desk.run
    const times = timesOf(batch)
    for await (const lines of ledger.openLines(batch.key))
      await this.commit(lines.flatMap((line) => this.outcomes.failed(line, why, times)))
    await this.book({ kind: 'over', key: batch.key, status, at: Date.now() })
    if (whole && why.retry === 'never') this.broken ??= causeOf(why)
    if (whole && why.retry === 'slow-down') this.notBefore = Date.now() + this.options.pollMs
  }

  /** @throws TakenOver where another worker looks after these batches by now */
  private async commit(events: readonly RunEvent[]): Promise<void> {
    if (events.length === 0) return
    const { ledger } = this.desk.run
    if (ledger.keeping === undefined) await ledger.commit(events)
    else if (!(await ledger.keeping.commit(this.spec.name, this.options.owner, events))) throw new TakenOver()
  }
}
