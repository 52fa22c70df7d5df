import type { ModelQueue } from './model-queue.ts'

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
