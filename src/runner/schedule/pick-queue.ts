import type { Lane } from './model-queue.ts'

/** Calls that one model may be ahead of another where they are compared while they run. */
const LEAD = 128

/**
 * Was a model asked so much more than one that is compared that it is to wait? Of a model beside those compared nothing is to be known:
 * it is asked along, and nobody waits for it but those of the same server of this machine, which would never let it have a turn.
 */
export const isAhead = (lane: Lane, lanes: readonly Lane[], compared: ReadonlySet<string>): boolean =>
  lanes.some(
    (other) =>
      other !== lane &&
      other.broken === null &&
      !other.allAsked &&
      (compared.has(other.spec.name) || (lane.isHere && other.limiter === lane.limiter)) &&
      lane.asked >= other.asked + LEAD,
  )

/**
 * Whose call goes out next. Models of one provider share its limit: of those that may send, the one with the fewest calls under
 * way, and of these the one whose turn was longest ago; else the first would take all that come free. A server of this machine may
 * hold one model only, and takes long to load another: the first that has a cell ready goes on; of models that are compared the
 * one that was asked last, until it is ahead.
 */
export function nextLane(lanes: readonly Lane[], may: (lane: Lane) => boolean, compared: boolean): Lane | null {
  const goesOn = (lane: Lane, other: Lane): boolean =>
    compared && lane.turn !== other.turn ? lane.turn > other.turn : lanes.indexOf(lane) < lanes.indexOf(other)
  const able = lanes.filter((lane) => lane.ready.length > 0 && lane.free > 0 && may(lane))
  let next: Lane | null = null
  for (const lane of able) {
    if (lane.isHere && able.some((other) => other.limiter === lane.limiter && goesOn(other, lane))) continue
    if (next === null) next = lane
    else if (lane.inFlight < next.inFlight || (lane.inFlight === next.inFlight && lane.turn < next.turn)) next = lane
  }
  return next
}
