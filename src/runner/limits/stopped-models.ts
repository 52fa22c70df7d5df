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
const schema = z.record(z.string(), z.object({ kind: z.enum(KINDS), message: z.string(), advice: z.string() }))

/** Models that were called no more when the last execution ended, and why. */
export type StoppedModels = { readonly [model: string]: Pick<StopCause, 'kind' | 'message' | 'advice'> }

/** At the end of an execution: their calls wait again, so that nothing else tells. */
export async function saveStopped({ ledger, redact }: Run, stopped: StoppedModels): Promise<void> {
  const text = redact.known(redact.shapes(JSON.stringify(stopped)))
  if (text !== ((await ledger.meta(STOPPED_KEY)) ?? '{}')) await ledger.setMeta(STOPPED_KEY, text)
}

/**
 * What {@link saveStopped} saved; empty if no model was stopped.
 *
 * @throws StoreError for what somebody else wrote.
 */
export async function loadStopped({ ledger }: Pick<Run, 'ledger'>): Promise<StoppedModels> {
  const text = await ledger.meta(STOPPED_KEY)
  return text === null ? {} : parseStored(schema, text, 'what the ledger says of stopped models')
}
