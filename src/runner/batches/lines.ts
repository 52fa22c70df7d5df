import { hash, randomUUID } from 'node:crypto'
import {
  draftOf,
  type Failure,
  type LineResult,
  type Model,
  type Reply,
  readResult,
  type Settings,
} from '../../models/index.ts'
import { type LeasedCell, type OpenBatch, type RunEvent, settingsIn } from '../../store/index.ts'
import { failureEvent, responseEvent, withCall } from '../calls/call.ts'
import type { Asking } from '../folder/run.ts'
import { bookingOf, owedAbove } from '../money/cost-reservation.ts'
import type { RunModel } from '../plan/resolve.ts'

/** A cell as a line of a batch: what is sent, and what it can cost at most in US dollars. */
export interface Draft {
  readonly cell: LeasedCell
  readonly body: string
  readonly most: number
}

/** A key of a new batch of a run. */
export const newKey = (run: string): string =>
  `ts-${hash('sha256', run, 'hex').slice(0, 8)}-${randomUUID().slice(0, 18)}`

/** The name of a line there. */
export const lineId = (key: string, no: number): string => `${key}-${no}`

/** The number in the name of a line; null: it is none of this batch. */
export function lineNumber(key: string, id: string): number | null {
  const match = id.startsWith(`${key}-`) ? /^(?:0|[1-9]\d{0,8})$/u.exec(id.slice(key.length + 1)) : null
  return match === null ? null : Number(match[0])
}

/** What a live call for this cell would send. Total. */
export async function draft(run: Asking, model: Model, spec: RunModel, cell: LeasedCell): Promise<Draft | Reply> {
  const settings = settingsOf(cell)
  const body = await withCall(run, cell, settings, (call) => draftOf(model, call))
  // Nothing was sent: an answer is of the cache.
  if (typeof body !== 'string') return body.kind === 'failure' ? { ...body, free: true } : body
  return { cell, body, most: bookingOf(run.sources, { model, spec }, cell, settings).most }
}

const settingsOf = (cell: LeasedCell): Settings => settingsIn(cell.settings) as Settings

/** What a line's result says, read as the answer to a live call. Total. */
export async function replyOf(run: Asking, model: Model, cell: LeasedCell, result: LineResult): Promise<Reply> {
  if (result.kind === 'failure') return result.failure
  return withCall(run, cell, settingsOf(cell), (call) => readResult(model, call, result.http, result.body))
}

export interface LineTimes {
  readonly started: number
  readonly ended: number
}

/** From sending off to now; never below 0, whoever sent it off by whatever clock. */
export const timesOf = ({ tried }: OpenBatch): LineTimes => ({ started: tried, ended: Math.max(tried, Date.now()) })

/** The events of a line that is answered. */
export function answered(
  run: Asking,
  model: Model,
  spec: RunModel,
  line: { readonly cell: LeasedCell; readonly most: number },
  reply: Reply,
  times: LineTimes,
): Extract<RunEvent, { kind: 'response' }> {
  const { bounds } = bookingOf(run.sources, { model, spec }, line.cell, settingsOf(line.cell))
  return responseEvent(run, spec, line.cell, { reply, ...times }, { most: line.most, bounds })
}

/** US dollars that a line which could not be read is owed above what was set aside; undefined: it does not say so. */
export function failedCost(
  run: Asking,
  model: Model,
  spec: RunModel,
  { cell, most }: { readonly cell: LeasedCell; readonly most: number },
  { body }: Failure,
): number | undefined {
  if (body === null || spec.price === null) return undefined
  const { bounds } = bookingOf(run.sources, { model, spec }, cell, settingsOf(cell))
  return owedAbove(spec.price, body, { most, bounds })
}

/** The events of a line that failed; one that is not `final` waits for another batch. `usd`: what it cost, if that is known. */
export function lineFailed(
  cell: LeasedCell,
  reply: Failure,
  times: LineTimes,
  final: boolean,
  usd?: number,
): readonly RunEvent[] {
  const event = failureEvent(cell, { reply, ...times }, final, usd)
  return final ? [event] : [event, released(cell, true)]
}

export const released = ({ id, attempt }: LeasedCell, sent: boolean): RunEvent => ({
  kind: 'release',
  cell: id,
  attempt,
  sent,
})
