import { z } from 'zod'
import { written } from '../../store/index.ts'
import type { Run } from '../folder/run.ts'
import type { Cause } from './circuit-breaker.ts'

/** The fact in the ledger that says why nothing more was asked of models. */
const STOPPED_MARK = 'stopped'

const KINDS = [
  'authentication',
  'quota',
  'connection',
  'repeated',
  'overrun',
] as const satisfies readonly Cause['kind'][]
const noted = z.record(z.string(), z.object({ kind: z.enum(KINDS), message: z.string(), next: z.string() }))

/** Models that nothing more was asked of when work on a run ended last, and why. */
export type Stopped = { readonly [model: string]: Pick<Cause, 'kind' | 'message' | 'next'> }

/** As work ends: their cells wait again, and say nothing of it. */
export async function noteStopped({ ledger, redact }: Run, stopped: Stopped): Promise<void> {
  const told = Object.entries(stopped).map(([model, { kind, message, next }]) => [model, { kind, message, next }])
  const text = redact.known(redact.shapes(JSON.stringify(Object.fromEntries(told))))
  if (text !== ((await ledger.meta(STOPPED_MARK)) ?? '{}')) await ledger.setMeta(STOPPED_MARK, text)
}

/**
 * What {@link noteStopped} noted; nothing where all went well.
 *
 * @throws StoreError for what somebody else wrote.
 */
export async function stoppedOf({ ledger }: Pick<Run, 'ledger'>): Promise<Stopped> {
  const text = await ledger.meta(STOPPED_MARK)
  return text === null ? {} : written(noted, text, 'what the ledger says of models that were given up')
}
