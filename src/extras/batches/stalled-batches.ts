import type { RemoteState } from '../../models/batching/index.ts'
import type { Failure } from '../../models/index.ts'
import { ADVICE, type StopCause } from '../../runner/limits/circuit-breaker.ts'
import type { OpenBatch } from '../../store/index.ts'

/** Polls in a row of a batch in an unknown state before it is waited for no more: ten minutes, as a rule. */
const MAX_POLLS = 20

/** A time as in the lists of providers, to the minute. */
const minute = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const listed = (names: readonly string[]): string =>
  `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`

type Why = Pick<StopCause, 'code' | 'message' | 'advice'>

/**
 * Batches whose fate no poll reveals. Such a batch may still be computed, or be paid and over: it is neither submitted again nor
 * failed, and it is not waited for for ever.
 */
export class StalledBatches {
  private readonly states = new Map<string, { readonly since: number; readonly polls: number }>()
  private readonly whys = new Map<string, Why>()
  private readonly warned = new Set<string>()
  private readonly settlingMs: number

  /** @param settlingMs - fewest ms to wait, however often it is polled. */
  constructor(settlingMs: number) {
    this.settlingMs = settlingMs
  }

  /** A poll found the batch: it may be in a state that this version does not know. */
  stateSeen({ key, providerId }: OpenBatch, { kind, status }: RemoteState): void {
    if (kind !== 'unknown') {
      this.clear(key)
      return
    }
    const { since = performance.now(), polls = 0 } = this.states.get(key) ?? {}
    this.states.set(key, { since, polls: polls + 1 })
    if (polls + 1 < MAX_POLLS || performance.now() - since < this.settlingMs) return
    this.whys.set(key, {
      code: 'batch-state',
      message: `batch ${providerId} is in the state ${JSON.stringify(status.slice(0, 60))}, which this version does not know; after ${MAX_POLLS} polls it is not waited for, and nothing of it is sent again: its lines stay booked`,
      advice: 'see what the provider says of the batch; when it is over, go on, or update the program',
    })
  }

  /** A search for a batch whose id was lost found several candidates. */
  markAmbiguous({ key, lines, submittedAt }: OpenBatch, uncertain: readonly string[]): void {
    this.whys.set(key, {
      code: 'batch-lost',
      message: `the name of a batch of ${lines} lines, sent off at ${minute(submittedAt)}, was lost on its way; it may be ${listed(uncertain)}, and nothing there tells; nothing of it is sent again: its lines stay booked`,
      advice: `see with the provider whether that batch is there, and put behind the next command --batch-id ${key}=ID (its name there) or --batch-id ${key}=none (it is not there, and is sent again)`,
    })
  }

  /** The same while a candidate has not ended: a warning, once. Nothing is submitted again before. */
  describeOpenCandidates({ key, lines, submittedAt }: OpenBatch, open: readonly string[]): string | null {
    if (this.warned.has(key)) return null
    this.warned.add(key)
    return `the name of a batch of ${lines} lines, sent off at ${minute(submittedAt)}, was lost on its way; it may be ${listed(open)}, not ended yet: until then nothing of it is sent again, and its lines stay booked; who knows more stops and goes on with --batch-id ${key}=ID or --batch-id ${key}=none`
  }

  clear(key: string): void {
    this.states.delete(key)
    this.whys.delete(key)
  }

  /** Why none of these batches is waited for; null: one is. */
  causeOf(open: readonly OpenBatch[]): StopCause | null {
    const whys = open.map(({ key }) => this.whys.get(key))
    const [first] = whys
    return first === undefined || whys.includes(undefined) ? null : { kind: 'repeated', retryOnResume: false, ...first }
  }
}

/** Somebody else cancelled a batch. */
export const CANCELLED_THERE: StopCause = {
  kind: 'repeated',
  code: 'batch-cancelled',
  message: 'a batch was cancelled by somebody else',
  advice: 'see who did it',
  retryOnResume: false,
}

/** A batch ended without results, and may have been billed. */
export const NOTHING_THERE: StopCause = {
  kind: 'repeated',
  code: 'batch-missing',
  message: 'a batch ended without any result; its lines may have been billed, and stay booked',
  advice: 'see what the provider has of the batch',
  retryOnResume: false,
}

/** Batches cannot be polled, or their results not be read. */
export const unreadableCause = (why: StopCause | null): StopCause | null =>
  why === null || !['connection', 'repeated'].includes(why.kind)
    ? why
    : { ...why, advice: 'its batches stay with the provider, and booked; resume polls again when that answers' }

/** The provider accepts no batch. */
export function causeOf({ code, message }: Failure): StopCause {
  const kind = ['http-401', 'http-403'].includes(code) ? 'authentication' : code === 'quota' ? 'quota' : 'repeated'
  return {
    kind,
    code,
    message,
    advice: kind === 'repeated' ? 'see what the provider says of the batch' : ADVICE[kind],
    retryOnResume: false,
  }
}
