import type { Failure } from '../../models/index.ts'
import { type Cause, NEXT } from '../breaker.ts'

/** Why a model's batches stop: somebody else ended one. */
export const CANCELLED_THERE: Cause = {
  kind: 'repeated',
  code: 'batch-cancelled',
  message: 'a batch was cancelled by somebody else',
  next: 'see who did it',
  again: false,
}

/** Why a model's batches stop: one brought nothing, and may have been billed. */
export const NOTHING_THERE: Cause = {
  kind: 'repeated',
  code: 'batch-missing',
  message: 'a batch ended without any result; its lines may have been billed, and stay booked',
  next: 'see what the provider has of the batch',
  again: false,
}

/** Why a model's batches stop: again and again none can be looked at, or read. */
export const unseen = (why: Cause | null): Cause | null =>
  why === null || !['connection', 'repeated'].includes(why.kind)
    ? why
    : { ...why, next: 'its batches stay with the provider, and booked; resume looks again when that answers' }

/** Why a model's batches stop: the provider takes none. */
export function causeOf({ code, message }: Failure): Cause {
  const kind = ['http-401', 'http-403'].includes(code) ? 'authentication' : code === 'quota' ? 'quota' : 'repeated'
  return {
    kind,
    code,
    message,
    next: kind === 'repeated' ? 'see what the provider says of the batch' : NEXT[kind],
    again: false,
  }
}
