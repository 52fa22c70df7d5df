import type { Failure, RemoteState } from '../../models/index.ts'
import type { OpenBatch } from '../../store/index.ts'
import { type Cause, NEXT } from '../limits/circuit-breaker.ts'

/** Looks in a row at a batch in a state that nobody here knows, before it is not waited for any more: ten minutes, as a rule. */
const LOOKS = 20

/** A time as the lists of providers have it, to the minute. */
const minute = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const listed = (names: readonly string[]): string =>
  `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`

type Why = Pick<Cause, 'code' | 'message' | 'next'>

/**
 * Batches of which no look tells what has become. Such a batch may be computed still, or be paid and over: it is neither sent
 * again nor given up, and not waited for for ever.
 */
export class Stuck {
  private readonly states = new Map<string, { readonly since: number; readonly looks: number }>()
  private readonly whys = new Map<string, Why>()
  private readonly told = new Set<string>()
  private readonly settlingMs: number

  /** @param settlingMs - for which it is waited at least, however often is looked. */
  constructor(settlingMs: number) {
    this.settlingMs = settlingMs
  }

  /** A look at a batch that is there: it may be in a state that this version does not know. */
  saw({ key, remote }: OpenBatch, { kind, status }: RemoteState): void {
    if (kind !== 'unknown') {
      this.cleared(key)
      return
    }
    const { since = performance.now(), looks = 0 } = this.states.get(key) ?? {}
    this.states.set(key, { since, looks: looks + 1 })
    if (looks + 1 < LOOKS || performance.now() - since < this.settlingMs) return
    this.whys.set(key, {
      code: 'batch-state',
      message: `batch ${remote} is in the state ${JSON.stringify(status.slice(0, 60))}, which this version does not know; after ${LOOKS} looks it is not waited for, and nothing of it is sent again: its lines stay booked`,
      next: 'see what the provider says of the batch; when it is over, go on, or update the program',
    })
  }

  /** A search for a batch whose name was lost: these may be it, and nothing tells. */
  doubted({ key, lines, tried }: OpenBatch, doubts: readonly string[]): void {
    this.whys.set(key, {
      code: 'batch-lost',
      message: `the name of a batch of ${lines} lines, sent off at ${minute(tried)}, was lost on its way; it may be ${listed(doubts)}, and nothing there tells; nothing of it is sent again: its lines stay booked`,
      next: `see with the provider whether that batch is there, and put behind the next command --lost ${key}=NAME (its name there) or --lost ${key}=none (it is not there, and is sent again)`,
    })
  }

  /** The same, where one of them has not ended: words for it, the first time. Nothing of a batch of a whole day is sent again before. */
  held({ key, lines, tried }: OpenBatch, open: readonly string[]): string | null {
    if (this.told.has(key)) return null
    this.told.add(key)
    return `the name of a batch of ${lines} lines, sent off at ${minute(tried)}, was lost on its way; it may be ${listed(open)}, not ended yet: until then nothing of it is sent again, and its lines stay booked; who knows more stops and goes on with --lost ${key}=NAME or --lost ${key}=none`
  }

  cleared(key: string): void {
    this.states.delete(key)
    this.whys.delete(key)
  }

  /** Why none of these batches is waited for; null: one still is. */
  causeOf(open: readonly OpenBatch[]): Cause | null {
    const whys = open.map(({ key }) => this.whys.get(key))
    const [first] = whys
    return first === undefined || whys.includes(undefined) ? null : { kind: 'repeated', again: false, ...first }
  }
}

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
