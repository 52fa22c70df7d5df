import { z } from 'zod'
import type { ModelQueue } from '../schedule/model-queue.ts'

/** Why calls of a model are not sent now, or fewer than could be. */
export const wait = z.discriminatedUnion('kind', [
  /** The provider asked for a pause, or its rate window ends then. */
  z.object({ kind: z.literal('pause'), ms: z.number() }),
  /** Its own rate limit is reached. */
  z.object({ kind: z.literal('rate'), ms: z.number() }),
  /** Failed calls are retried, the first of them then. */
  z.object({ kind: z.literal('back-off'), calls: z.number(), ms: z.number() }),
  /** As many calls are in flight as the limiter allows since the provider asked to slow down. */
  z.object({ kind: z.literal('full'), calls: z.number() }),
  /** The canary call is in flight. */
  z.object({ kind: z.literal('ahead') }),
  /** The circuit breaker is open. */
  z.object({ kind: z.literal('broken'), code: z.string(), message: z.string() }),
  /** The next call could exceed the cost limit. */
  z.object({ kind: z.literal('budget') }),
  /** A compared model is slower. */
  z.object({ kind: z.literal('slower') }),
  /** The next items depend on calls in flight. */
  z.object({ kind: z.literal('choice') }),
  /** Another model of the same local server comes first. */
  z.object({ kind: z.literal('turn'), model: z.string() }),
])
export type WaitReason = z.infer<typeof wait>

const soFar = z.object({
  value: z.number(),
  low: z.number(),
  high: z.number(),
  n: z.number(),
  /** Groups of these responses. */
  groups: z.number().optional(),
})
/** Accuracy of the responses so far with its 95 % interval, clustered by group if there are several. */
export type RunningAccuracy = z.infer<typeof soFar>

const modelFailure = z.object({ code: z.string(), times: z.number(), message: z.string() })
/** Failures in this process by code, with the message of the last. */
export type ModelFailure = z.infer<typeof modelFailure>

export const modelProgress = z.object({
  model: z.string(),
  /** Planned calls; of an adaptive run the most that it may make. */
  total: z.number(),
  done: z.number(),
  failed: z.number(),
  inFlight: z.number(),
  /** Calls that wait for another attempt. */
  retrying: z.number(),
  /** Calls ended per second, over the last seconds. */
  rate: z.number(),
  /** Seconds until all calls have ended, at this rate; null: not known. */
  left: z.number().nullable(),
  /** US dollars booked for it. */
  usd: z.number(),
  /** null: no response that counts yet, or too many of earlier processes to read. */
  accuracy: soFar.nullable(),
  waits: z.array(wait).readonly(),
  /** The latest first. */
  failures: z.array(modelFailure).readonly(),
})
/** Progress of one model. */
export type ModelProgress = Readonly<z.infer<typeof modelProgress>>

/** A duration in one unit. */
export const duration = (seconds: number): string =>
  seconds < 90
    ? `${Math.ceil(seconds)} s`
    : seconds < 5400
      ? `${Math.ceil(seconds / 60)} min`
      : `${(seconds / 3600).toFixed(1)} h`

const seconds = (ms: number): string => duration(ms / 1000)

/** Why a model waits, as text. Messages of a provider are in it unchanged. */
export function waitText(wait: WaitReason): string {
  switch (wait.kind) {
    case 'pause':
      return `rate-limited by the provider, ${seconds(wait.ms)}`
    case 'rate':
      return `own rate limit reached, ${seconds(wait.ms)}`
    case 'back-off':
      return `${wait.calls} failed ${wait.calls === 1 ? 'call is' : 'calls are'} retried in ${seconds(wait.ms)}`
    case 'full':
      return `rate-limited by the provider: ${wait.calls} concurrent ${wait.calls === 1 ? 'call' : 'calls'}`
    case 'ahead':
      return 'waiting for the first response'
    case 'broken':
      return `stopped: ${wait.code}`
    case 'budget':
      return 'the next call could exceed the cost limit'
    case 'slower':
      return 'waiting for a slower model of the comparison'
    case 'choice':
      return 'the next items depend on calls in flight'
    case 'turn':
      return `after ${wait.model}: a local server is called for one model at a time`
  }
}

/** Reasons to wait that only the whole execution knows. */
interface Circumstances {
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
