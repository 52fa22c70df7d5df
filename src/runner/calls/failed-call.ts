import { MAX_WAIT_MS } from '../../models/index.ts'
import { limitKey } from '../limits/circuit-breaker.ts'
import { afterFailure, backoff, isExhausted } from '../limits/concurrency-limiter.ts'
import { type CostReservation, costAboveReservation } from '../money/cost-reservation.ts'
import type { ModelQueue, PendingCall } from '../schedule/model-queue.ts'
import { type CallResult, failureEvent } from './call.ts'
import type { BookedCost, CallDispatcher } from './call-dispatcher.ts'

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
