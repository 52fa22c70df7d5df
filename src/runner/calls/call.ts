import { hash } from 'node:crypto'
import {
  type Failure,
  failure,
  MAX_WAIT_MS,
  type Model,
  type ModelCall,
  type ModelReply,
  type Settings,
} from '../../models/index.ts'
import type { LeasedCall, RunEvent, StoredResponse } from '../../store/index.ts'
import type { CallInputs } from '../folder/run.ts'
import type { RunFile } from '../folder/run-file.ts'
import { limitKey } from '../limits/circuit-breaker.ts'
import { afterFailure, backoff, isExhausted } from '../limits/concurrency-limiter.ts'
import { actualCost, type CostReservation, costAboveReservation } from '../money/cost-reservation.ts'
import type { RunModel } from '../plan/resolve.ts'
import type { ModelQueue, PendingCall } from '../schedule/model-queue.ts'
import { scoreResponse } from '../scoring/score.ts'
import type { BookedCost, CallDispatcher } from './call-dispatcher.ts'

/** What came of one attempt, with its times. */
export interface CallResult {
  readonly reply: ModelReply
  /** Ms UTC; `ended` is `started` plus a duration by a clock that never jumps. */
  readonly started: number
  readonly ended: number
}

interface InFlightCall {
  readonly controller: AbortController
  readonly isLocal: boolean
  scores: boolean
}

/** Ms that loglikelihood requests in flight may still take when a run is stopped. */
const GRACE_MS = 1000

/** Calls in flight, so that all can be aborted at once. */
export class InFlightCalls {
  private readonly open = new Set<InFlightCall>()

  abortAll(): void {
    for (const { controller } of this.open) controller.abort(new DOMException('the run was aborted', 'AbortError'))
  }

  /** Aborts what is computed in this process, and soon after it loglikelihood requests: many may be in flight. */
  cancelLocal(): void {
    const stopped = (): DOMException => new DOMException('the run was stopped', 'AbortError')
    for (const { controller, isLocal } of this.open) if (isLocal) controller.abort(stopped())
    setTimeout(() => {
      for (const { controller, scores } of this.open) if (scores) controller.abort(stopped())
    }, GRACE_MS).unref()
  }

  /**
   * Makes a call, for at most `seconds`. Never throws: an exception on the way is a failure.
   *
   * @param priced - money is reserved for it.
   */
  async ask(
    run: CallInputs,
    model: Model,
    call: LeasedCall,
    settings: Settings,
    seconds: number,
    priced: boolean,
  ): Promise<CallResult> {
    const controller = new AbortController()
    const timer = setTimeout(
      () => controller.abort(new DOMException(`no complete response within ${seconds} s`, 'TimeoutError')),
      Math.min(seconds * 1000, 2 ** 31 - 1),
    )
    const open: InFlightCall = {
      controller,
      isLocal: model.isLocal === true && !priced,
      scores: model.kind === 'score',
    }
    this.open.add(open)
    const started = Date.now()
    const from = performance.now()
    try {
      const reply = await withCall(run, call, settings, (modelCall) => {
        open.scores ||= modelCall.request.kind === 'score'
        return model.call(modelCall, controller.signal)
      })
      const ms = reply.recorded?.ms ?? Math.round(performance.now() - from)
      return { reply: withoutSecrets(run, reply), started, ended: started + ms }
    } finally {
      clearTimeout(timer)
      this.open.delete(open)
    }
  }
}

/** Messages go to terminals and other workers, and some providers name the key in them. */
const withoutSecrets = ({ redact }: CallInputs, reply: ModelReply): ModelReply =>
  reply.kind === 'failure' ? { ...reply, message: redact.shapes(reply.message) } : reply

/** Does `work` with what a model is to be called with. Never throws: an exception on the way is a failure of the task. */
export async function withCall<T>(
  run: CallInputs,
  call: LeasedCall,
  settings: Settings,
  work: (call: ModelCall) => Promise<T>,
): Promise<T | Failure> {
  const { item, shared, style, sample } = call
  try {
    const task = run.sources.task(item.source)
    const source = run.sources.list[item.source]
    const request = run.sources.request(item, shared, style)
    return await work({
      task,
      item: item.id,
      config: source?.kind === 'generated' ? source.config : null,
      style,
      sample,
      settings,
      request,
      question: { shared, given: item.given },
      draws: (name) => run.sources.draws(item, name, sample),
      problem: () => run.sources.problem(item, shared),
      attemptId: attemptId(run.file, call.id, call.attempt),
    })
  } catch (error) {
    return failure('threw', String(error), 'never', {
      boundary: 'task',
    })
  }
}

/** What the ledger keeps of a response: secrets are replaced first, so that spans are offsets into the stored text. */
export function responseEvent(
  run: CallInputs,
  model: RunModel,
  call: LeasedCall,
  result: CallResult,
  booked: CostReservation,
): Extract<RunEvent, { kind: 'response' }> {
  const { reply, started, ended } = result
  if (reply.kind === 'failure') throw new TypeError('a failure is not a response')
  const { usage, refused: refusedCounts, usd: actual } = actualCost(model.price, reply.usage, booked)
  const cached = reply.recorded?.source === 'cache'
  const usd = cached ? 0 : actual
  const response: StoredResponse = {
    finish: reply.finish,
    text: run.redact.known(reply.text),
    reasoning: reply.reasoning,
    logprobs: reply.logprobs,
    // A response without plausible token counts may have cost all that was reserved for it.
    usage: {
      ...usage,
      ...(usd !== undefined ? { usd } : booked.maxUsd > 0 ? { maxUsd: booked.maxUsd } : {}),
      ...(refusedCounts.length > 0 ? { refusedCounts } : {}),
      ...(cached ? { cached } : {}),
    },
    raw: reply.raw,
  }
  const task = run.sources.task(call.item.source)
  const outcome = scoreResponse(task, run.sources.problem(call.item, call.shared), response)
  return {
    kind: 'response',
    call: call.id,
    attempt: call.attempt,
    started,
    ended,
    http: reply.http,
    requestId: reply.requestId,
    response,
    scored: { scorer: task.scorerVersion, outcome },
  }
}

/** What the ledger keeps of a failure. `usd`: its cost, if that is more than was reserved. */
export function failureEvent(call: LeasedCall, result: CallResult, final: boolean, usd?: number): RunEvent {
  const { reply, started, ended } = result
  if (reply.kind === 'answer') throw new TypeError('an answer is not a failure')
  const { http, requestId, boundary: source, code, message, free, body } = reply
  return {
    kind: 'failure',
    call: call.id,
    attempt: call.attempt,
    started,
    ended,
    http,
    requestId,
    final,
    source,
    code,
    message,
    free,
    ...(free || usd === undefined ? {} : { usd }),
    body,
  }
}

/**
 * The name of an attempt for providers: unique, and without meaning for anyone who does not hold run.json, whose `id`
 * matches a provider's log with the ledger.
 */
export const attemptId = (file: Pick<RunFile, 'id' | 'created'>, call: number, attempt: number): string =>
  hash('sha256', `${file.id}/${call}/${attempt}`, 'hex').slice(0, 32)

/**
 * What follows when a call fails, for instance with HTTP 429. `models` has put the failure into one of four kinds
 * (`Failure.retry`); here its money is settled, the brakes are pulled, and the call is tried again or given up:
 *
 * | `retry`     | for example           | brakes                                                   | the call                      |
 * |-------------|-----------------------|----------------------------------------------------------|-------------------------------|
 * | `slow-down` | 429, 529              | limiter: 20 % fewer calls, none for `Retry-After`; peers | again, 20 times as often      |
 * | `again`     | 500, timeout, connect | breaker, if only this comes for 10 s to 2 min            | again, `limits.retries` times |
 * | `once`      | unreadable body       | breaker, after 20 in a row                               | again once: it was paid       |
 * | `never`     | 400, 401, 402, 403    | breaker, after 20 in a row; keys and quota after 3       | ends as an error              |
 *
 * - The wait before the next attempt doubles from half a second to a minute, with full jitter, and is never shorter than
 *   `Retry-After` (`limits/concurrency-limiter.ts`: `backoff`).
 * - The limiter holds for all models of a provider's route; the breaker and the rate gate for one model.
 * - Other workers on the same store learn of pauses and of stopped models (`SharedLimits`).
 *
 * @returns what is booked for the attempt.
 */
export function handleFailure(
  dispatcher: CallDispatcher,
  queue: ModelQueue,
  pending: PendingCall,
  result: CallResult,
  reservation: CostReservation,
): BookedCost {
  const { reply } = result
  if (reply.kind === 'answer') return 'unknown'
  const { host, writer, services } = dispatcher
  const { call } = pending
  const above = reply.free ? undefined : costAboveReservation(queue.spec.price, reply.body, reservation)
  const cost = reply.free ? 'free' : above === undefined ? 'unknown' : { usd: above }
  dispatcher.stopOverrun(queue, above, reservation)
  if (reply.code === 'aborted' && host.halted) {
    writer.save([{ kind: 'release', call: call.id, attempt: call.attempt, sent: true }])
    return cost
  }

  // The breaker of this model, or that of a peer, which one call here was sent to confirm.
  const own = queue.stopped === null ? queue.breaker.failed(reply) : null
  const confirmed = queue.stopped === null && queue.peerFailure?.code === reply.code ? queue.peerFailure : null
  if (own !== null) {
    const key = limitKey(queue.model.route, queue.spec.spec)
    dispatcher.tellPeers((limits) => limits.reportStopped(key, dispatcher.owner, JSON.stringify(own)))
  }
  const cause = own ?? confirmed
  if (cause !== null) {
    queue.stopped = cause
    dispatcher.release(queue)
  }

  const { waitMs } = reply
  if (reply.retry === 'slow-down') {
    queue.limiter.slowDown(waitMs)
    if (waitMs !== null)
      dispatcher.tellPeers((limits) => limits.pause(queue.model.route, Math.min(waitMs, MAX_WAIT_MS)))
  }

  const retryState = afterFailure(pending.retryState, reply)
  const final = isExhausted(retryState, reply, services.run.file.limits.retries)
  services.meter.failure(queue.spec.name, reply, final)
  if (final) {
    writer.save([failureEvent(call, result, true, above)])
    host.callEnded(queue, pending.call, null, null)
    return cost
  }
  if (host.halted || queue.stopped !== null) {
    // The failed attempt is over; the call waits for the next execution.
    writer.save([
      failureEvent(call, result, false, above),
      { kind: 'release', call: call.id, attempt: call.attempt, sent: true },
    ])
    return cost
  }
  const next: PendingCall = { call: { ...call, attempt: call.attempt + 1 }, retryState }
  const wait = backoff(retryState.tried + retryState.slowed, waitMs, dispatcher.random)
  const timer = setTimeout(() => void retry(dispatcher, queue, next), wait)
  queue.delayed.set(call.id, { pending: next, timer, due: performance.now() + wait })
  writer.save([failureEvent(call, result, false, above)])
  return cost
}

/** The next attempt is on disk before its request is sent. */
async function retry(dispatcher: CallDispatcher, queue: ModelQueue, pending: PendingCall): Promise<void> {
  const { host, services } = dispatcher
  const { id, attempt } = pending.call
  try {
    await services.run.ledger.commit([{ kind: 'attempt', call: id, attempt, started: Date.now() }])
  } catch (error) {
    host.fail(error)
  }
  queue.delayed.delete(id)
  queue.ready.unshift(pending)
  if (host.halted || queue.stopped !== null) dispatcher.release(queue)
  host.pump()
}
