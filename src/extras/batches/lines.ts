import { hash, randomUUID } from 'node:crypto'
import type { LineResult } from '../../models/batching/index.ts'
import type { Failure, Model, ModelReply, Settings } from '../../models/index.ts'
import { failureEvent, responseEvent, withCall } from '../../runner/calls/call.ts'
import type { CallInputs } from '../../runner/folder/run.ts'
import { costAboveReservation, reserveCost } from '../../runner/money/cost-reservation.ts'
import type { RunModel } from '../../runner/plan/resolve.ts'
import { type LeasedCall, type OpenBatch, type RunEvent, settingsIn } from '../../store/index.ts'

/** A call as a line of a batch: its body, and its reservation in US dollars. */
export interface LineDraft {
  readonly call: LeasedCall
  readonly body: string
  readonly maxUsd: number
}

/** The key of a new batch of a run. */
export const newKey = (run: string): string =>
  `ts-${hash('sha256', run, 'hex').slice(0, 8)}-${randomUUID().slice(0, 18)}`

/** The id of a line at the provider. */
export const lineId = (key: string, no: number): string => `${key}-${no}`

/** The number in the id of a line; null: it is not of this batch. */
export function lineNumber(key: string, id: string): number | null {
  const match = id.startsWith(`${key}-`) ? /^(?:0|[1-9]\d{0,8})$/u.exec(id.slice(key.length + 1)) : null
  return match === null ? null : Number(match[0])
}

/** The body that a live call would send. Never throws. */
export async function draftLine(
  run: CallInputs,
  model: Model,
  spec: RunModel,
  call: LeasedCall,
): Promise<LineDraft | ModelReply> {
  const settings = settingsOf(call)
  const body = await withCall(run, call, settings, (modelCall) => wireOf(model).encode(modelCall))
  // Nothing was sent: a response is from the cache.
  if (typeof body !== 'string') return body.kind === 'failure' ? { ...body, free: true } : body
  return { call, body, maxUsd: reserveCost(run.sources, { model, spec }, call, settings).maxUsd }
}

/** Models with batches are reached over HTTP. */
function wireOf({ name, wire }: Model): NonNullable<Model['wire']> {
  if (wire === undefined) throw new TypeError(`${name} has no wire format`)
  return wire
}

const settingsOf = (call: LeasedCall): Settings => settingsIn(call.settings) as Settings

/** The result of a line, decoded like the response to a live call. Never throws. */
export async function replyOf(
  run: CallInputs,
  model: Model,
  call: LeasedCall,
  result: LineResult,
): Promise<ModelReply> {
  if (result.kind === 'failure') return result.failure
  return withCall(run, call, settingsOf(call), (modelCall) =>
    wireOf(model).decode(modelCall, { status: result.http, headers: {}, body: result.body }),
  )
}

export interface LineTimes {
  readonly started: number
  readonly ended: number
}

/** From submission to now; never negative, whatever clock the submitting worker had. */
export const timesOf = ({ submittedAt }: OpenBatch): LineTimes => ({
  started: submittedAt,
  ended: Math.max(submittedAt, Date.now()),
})

/** The event of a line with a response. */
export function answeredEvent(
  run: CallInputs,
  model: Model,
  spec: RunModel,
  line: { readonly call: LeasedCall; readonly maxUsd: number },
  reply: ModelReply,
  times: LineTimes,
): Extract<RunEvent, { kind: 'response' }> {
  const { bounds } = reserveCost(run.sources, { model, spec }, line.call, settingsOf(line.call))
  return responseEvent(run, spec, line.call, { reply, ...times }, { maxUsd: line.maxUsd, bounds })
}

/** Cost in US dollars of an unreadable line, if it exceeds the reservation; else undefined. */
export function failedCost(
  run: CallInputs,
  model: Model,
  spec: RunModel,
  { call, maxUsd }: { readonly call: LeasedCall; readonly maxUsd: number },
  { body }: Failure,
): number | undefined {
  if (body === null || spec.price === null) return undefined
  const { bounds } = reserveCost(run.sources, { model, spec }, call, settingsOf(call))
  return costAboveReservation(spec.price, body, { maxUsd, bounds })
}

/** The events of a failed line; if not `final`, its call waits for another batch. `usd`: its cost, if known. */
export function lineFailed(
  call: LeasedCall,
  reply: Failure,
  times: LineTimes,
  final: boolean,
  usd?: number,
): readonly RunEvent[] {
  const event = failureEvent(call, { reply, ...times }, final, usd)
  return final ? [event] : [event, released(call, true)]
}

export const released = ({ id, attempt }: LeasedCall, sent: boolean): RunEvent => ({
  kind: 'release',
  call: id,
  attempt,
  sent,
})
