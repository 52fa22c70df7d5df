import type { Lane } from '../schedule/model-queue.ts'
import type { Wait } from './model-progress.ts'

/** What only the whole run knows of why a model waits. */
export interface Circumstances {
  /** The models that it is compared with are slower. */
  readonly slower: boolean
  /** What it is asked next follows from answers that are under way. */
  readonly choosing: boolean
}

/** The model of the same server of this machine that goes on while this one waits: the one that was asked last; null: there is none. */
function before(lane: Lane, lanes: readonly Lane[]): string | null {
  if (!lane.isHere || lane.ready.length === 0 || lane.inFlight > 0) return null
  const same = lanes.filter(({ limiter, ready, inFlight }) => limiter === lane.limiter && ready.length + inFlight > 0)
  const [going] = same.sort((a, b) => b.turn - a.turn)
  return going === undefined || going === lane ? null : going.spec.name
}

/** Why calls of a model do not go out now, or fewer than could. */
export function waitsOf(lane: Lane, lanes: readonly Lane[], { slower, choosing }: Circumstances): readonly Wait[] {
  const { broken, limiter, gate, ready, delayed, inFlight } = lane
  if (broken !== null) return [{ kind: 'broken', code: broken.code, message: broken.message }]
  const first = before(lane, lanes)
  if (first !== null) return [{ kind: 'turn', model: first }]
  const waits: Wait[] = []
  if (limiter.pause > 0) waits.push({ kind: 'pause', ms: Math.round(limiter.pause) })
  else if (limiter.slowed && ready.length > 0 && limiter.free() === 0)
    waits.push({ kind: 'full', calls: limiter.limit })
  if (gate !== null && gate.pause > 0 && ready.length > 0) waits.push({ kind: 'rate', ms: Math.round(gate.pause) })
  if (delayed.size > 0) {
    const due = Math.min(...[...delayed.values()].map((one) => one.due))
    waits.push({ kind: 'back-off', calls: delayed.size, ms: Math.max(0, Math.round(due - performance.now())) })
  }
  if (lane.ahead && inFlight > 0) waits.push({ kind: 'ahead' })
  if (lane.short) waits.push({ kind: 'budget' })
  if (slower) waits.push({ kind: 'slower' })
  if (choosing && inFlight > 0) waits.push({ kind: 'choice' })
  return waits
}
