import { z } from 'zod'
import type { Failure } from '../../models/index.ts'
import type { News } from '../../store/index.ts'

/** Why nothing more is asked of a model, and what to do about it. */
export interface Cause {
  readonly kind: 'authentication' | 'quota' | 'connection' | 'repeated' | 'overrun'
  readonly code: string
  /** The provider's words, of the failure that was one too many. */
  readonly message: string
  readonly next: string
  /** Are the cells that failed by it asked again when the run goes on? */
  readonly again: boolean
}

/** What failures say; an overrun is no failure. */
type FailureKind = Exclude<Cause['kind'], 'overrun'>

/** A clock that never jumps, in ms. */
type Clock = () => number

/** Failures in a row, without a success between, that are enough. */
const ENOUGH = 3
/** The same for failures that another try would not mend, when all say the same. */
const ENOUGH_ALIKE = 20
/** For how long, in ms, a server may refuse connections before the first answer (it may be starting), and after it. */
const STARTING_MS = 3000
const AWAY_MS = 30_000
/** For how long failures that may pass may all be the same, before the first answer and after it. */
const ALIKE_FIRST_MS = 10_000
const ALIKE_MS = 120_000

/** Watches the failures of one model, and says when there is no sense in going on. */
export class Breaker {
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

  /** @returns why to stop; null: go on. */
  failed({ boundary, code, message, retry }: Failure): Cause | null {
    if (boundary !== 'provider' || code === 'aborted' || retry === 'slow-down') return null
    const kind = kindOf(code)
    // What came differs each time, and each was paid.
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
    return enough ? { kind, code, message, next: NEXT[kind], again: kind !== 'repeated' } : null
  }
}

function kindOf(code: string): FailureKind {
  if (['http-401', 'http-403', 'http-407'].includes(code)) return 'authentication'
  if (['quota', 'http-402'].includes(code)) return 'quota'
  return code === 'connect' ? 'connection' : 'repeated'
}

/** What to do about each. */
export const NEXT: { readonly [kind in FailureKind]: string } = {
  authentication: 'check the key, and that it may use this model',
  quota: 'fill up the account, or raise its limit',
  connection: 'check that the server runs, that its base URL is right, and what is on the way (proxy, certificate)',
  repeated: 'see what it says, and change the model, its settings, or the server or program that answers',
}

/** What calls to one model of one server are counted under, by all workers of a database. */
export const trafficKey = (route: string, spec: string): string => `${route} ${spec}`

const causeSchema = z.strictObject({
  kind: z.enum(['authentication', 'quota', 'connection', 'repeated', 'overrun']),
  code: z.string(),
  message: z.string(),
  next: z.string(),
  again: z.boolean(),
})

/** Why another worker asks a model nothing more; null: nobody does, or it was looked into before. */
export function newTrouble(
  news: News,
  own: string,
  seen: number,
): { readonly at: number; readonly cause: Cause } | null {
  const { broken } = news
  if (broken === null || broken.by === own || broken.at <= seen) return null
  const parsed = causeSchema.safeParse(readJson(broken.cause))
  return parsed.success ? { at: broken.at, cause: parsed.data } : null
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
