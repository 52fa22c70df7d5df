import type { ModelQueue } from '../schedule/model-queue.ts'
import type { WaitReason } from './model-progress.ts'

/** Reasons to wait that only the whole execution knows. */
export interface Circumstances {
  /** The models that it is compared with are slower. */
  readonly slower: boolean
  /** Its next calls depend on calls in flight. */
  readonly choosing: boolean
}

/** The model of the same local server that is called while this one waits: the one that sent last; null: none. */
function before(queue: ModelQueue, queues: readonly ModelQueue[]): string | null {
  if (!queue.isLocalServer || queue.ready.length === 0 || queue.inFlight > 0) return null
  const same = queues.filter(({ limiter, ready, inFlight }) => limiter === queue.limiter && ready.length + inFlight > 0)
  const [going] = same.sort((a, b) => b.lastTurn - a.lastTurn)
  return going === undefined || going === queue ? null : going.spec.name
}

/** Why calls of a model are not sent now, or fewer than could be. */
export function waitsOf(
  queue: ModelQueue,
  queues: readonly ModelQueue[],
  { slower, choosing }: Circumstances,
): readonly WaitReason[] {
  const { stopped, limiter, gate, ready, delayed, inFlight } = queue
  if (stopped !== null) return [{ kind: 'broken', code: stopped.code, message: stopped.message }]
  const first = before(queue, queues)
  if (first !== null) return [{ kind: 'turn', model: first }]
  const waits: WaitReason[] = []
  if (limiter.pause > 0) waits.push({ kind: 'pause', ms: Math.round(limiter.pause) })
  else if (limiter.slowed && ready.length > 0 && limiter.free() === 0)
    waits.push({ kind: 'full', calls: limiter.limit })
  if (gate !== null && gate.pause > 0 && ready.length > 0) waits.push({ kind: 'rate', ms: Math.round(gate.pause) })
  if (delayed.size > 0) {
    const due = Math.min(...[...delayed.values()].map((one) => one.due))
    waits.push({ kind: 'back-off', calls: delayed.size, ms: Math.max(0, Math.round(due - performance.now())) })
  }
  if (queue.awaitingCanary && inFlight > 0) waits.push({ kind: 'ahead' })
  if (queue.overCostLimit) waits.push({ kind: 'budget' })
  if (slower) waits.push({ kind: 'slower' })
  if (choosing && inFlight > 0) waits.push({ kind: 'choice' })
  return waits
}
