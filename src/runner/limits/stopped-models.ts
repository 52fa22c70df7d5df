import { z } from 'zod'
import { parseStored } from '../../store/index.ts'
import type { Run } from '../folder/run.ts'
import type { StopCause } from './circuit-breaker.ts'

/** Key of the fact in the ledger that says why models were called no more. */
const STOPPED_KEY = 'stopped'

const KINDS = [
  'authentication',
  'quota',
  'connection',
  'repeated',
  'overrun',
] as const satisfies readonly StopCause['kind'][]
const noted = z.record(z.string(), z.object({ kind: z.enum(KINDS), message: z.string(), advice: z.string() }))

/** Models that were called no more when the last execution ended, and why. */
export type StoppedModels = { readonly [model: string]: Pick<StopCause, 'kind' | 'message' | 'advice'> }

/** At the end of an execution: their calls wait again, so that nothing else tells. */
export async function saveStopped({ ledger, redact }: Run, stopped: StoppedModels): Promise<void> {
  const told = Object.entries(stopped).map(([model, { kind, message, advice }]) => [model, { kind, message, advice }])
  const text = redact.known(redact.shapes(JSON.stringify(Object.fromEntries(told))))
  if (text !== ((await ledger.meta(STOPPED_KEY)) ?? '{}')) await ledger.setMeta(STOPPED_KEY, text)
}

/**
 * What {@link saveStopped} saved; empty if no model was stopped.
 *
 * @throws StoreError for what somebody else wrote.
 */
export async function loadStopped({ ledger }: Pick<Run, 'ledger'>): Promise<StoppedModels> {
  const text = await ledger.meta(STOPPED_KEY)
  return text === null ? {} : parseStored(noted, text, 'what the ledger says of stopped models')
}
