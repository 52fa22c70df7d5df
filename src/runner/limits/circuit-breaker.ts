import { z } from 'zod'
import { jsonOrNull } from '../../core/index.ts'
import type { Failure } from '../../models/index.ts'
import { type PeerStatus, parseStored } from '../../store/index.ts'
import type { Run } from '../folder/run.ts'

/** Why a model is called no more, and what to do. */
export interface StopCause {
  readonly kind: 'authentication' | 'quota' | 'connection' | 'repeated' | 'overrun'
  readonly code: string
  /** The provider's message of the last failure. */
  readonly message: string
  readonly advice: string
  /** Are its failed calls repeated when the run is resumed? */
  readonly retryOnResume: boolean
}

/** Kinds that follow from failures; an overrun does not. */
type FailureKind = Exclude<StopCause['kind'], 'overrun'>

/** A clock that never jumps, in ms. */
type Clock = () => number

/** Failures in a row after which a model is called no more. */
const ENOUGH = 3
/** The same for equal failures that another attempt does not repair. */
const ENOUGH_ALIKE = 20
/** Ms for which a server may refuse connections: before its first response (it may be starting), and after it. */
const STARTING_MS = 3000
const AWAY_MS = 30_000
/** Ms for which transient failures may all be equal: before the first response, and after it. */
const ALIKE_FIRST_MS = 10_000
const ALIKE_MS = 120_000

/** Watches the failures of one model and stops its calls when going on is pointless. */
export class CircuitBreaker {
  private readonly now: Clock
  private answered = false
  private row: { readonly sign: string; readonly since: number; count: number } | null = null

  constructor(now: Clock = () => performance.now()) {
    this.now = now
  }

  succeeded(): void {
    this.answered = true
    this.row = null
  }

  /** @returns why the model is not called any more; null: it is called. */
  failed({ boundary, code, message, retry }: Failure): StopCause | null {
    if (boundary !== 'provider' || code === 'aborted' || retry === 'slow-down') return null
    const kind = kindOf(code)
    // The bodies differ each time, and each was paid.
    const misread = retry === 'once'
    const words = misread ? retry : message.replaceAll(/[0-9a-f-]{8,64}|\d{1,20}/giu, '#')
    const sign = kind === 'repeated' ? `${code} ${words}` : kind
    if (this.row?.sign !== sign) this.row = { sign, since: this.now(), count: 0 }
    this.row.count++
    const lasted = this.now() - this.row.since
    const { count } = this.row
    const enough =
      kind === 'connection'
        ? count >= ENOUGH && lasted >= (this.answered ? AWAY_MS : STARTING_MS)
        : kind === 'repeated'
          ? count >= ENOUGH_ALIKE &&
            (retry === 'never' || misread || lasted >= (this.answered ? ALIKE_MS : ALIKE_FIRST_MS))
          : count >= ENOUGH
    return enough ? { kind, code, message, advice: ADVICE[kind], retryOnResume: kind !== 'repeated' } : null
  }
}

function kindOf(code: string): FailureKind {
  if (['http-401', 'http-403', 'http-407'].includes(code)) return 'authentication'
  if (['quota', 'http-402'].includes(code)) return 'quota'
  return code === 'connect' ? 'connection' : 'repeated'
}

/** What to do about each. */
export const ADVICE: { readonly [kind in FailureKind]: string } = {
  authentication: 'check the key, and that it may use this model',
  quota: 'fill up the account, or raise its limit',
  connection: 'check that the server runs, that its base URL is right, and what is on the way (proxy, certificate)',
  repeated: 'see what it says, and change the model, its settings, or the server or program that answers',
}

/** Key of the limits of one model on one route, for all workers of a database. */
export const limitKey = (route: string, spec: string): string => `${route} ${spec}`

const causeSchema = z.strictObject({
  kind: z.enum(['authentication', 'quota', 'connection', 'repeated', 'overrun']),
  code: z.string(),
  message: z.string(),
  advice: z.string(),
  retryOnResume: z.boolean(),
})

/** Why another worker calls a model no more; null: none does, or it was checked here before. */
export function newPeerFailure(
  peer: PeerStatus,
  own: string,
  seen: number,
): { readonly at: number; readonly cause: StopCause } | null {
  const { stopped } = peer
  if (stopped === null || stopped.by === own || stopped.at <= seen) return null
  const parsed = causeSchema.safeParse(jsonOrNull(stopped.cause))
  return parsed.success ? { at: stopped.at, cause: parsed.data } : null
}

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
