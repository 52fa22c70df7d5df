import { z } from 'zod'

/** Why calls of a model do not go out now, or fewer than could. */
export const wait = z.discriminatedUnion('kind', [
  /** The provider asked to slow down, or its count of calls begins anew then. */
  z.object({ kind: z.literal('pause'), ms: z.number() }),
  /** Its own rate is used up. */
  z.object({ kind: z.literal('rate'), ms: z.number() }),
  /** Calls that failed are tried again, the first of them then. */
  z.object({ kind: z.literal('back-off'), calls: z.number(), ms: z.number() }),
  /** As many calls are under way as the provider bears; it bore more before it asked to slow down. */
  z.object({ kind: z.literal('full'), calls: z.number() }),
  /** One call goes ahead of all others. */
  z.object({ kind: z.literal('ahead') }),
  /** The breaker is open: nothing more is asked of it. */
  z.object({ kind: z.literal('broken'), code: z.string(), message: z.string() }),
  /** The next call could cost more than is left. */
  z.object({ kind: z.literal('budget') }),
  /** A model that it is compared with is slower. */
  z.object({ kind: z.literal('slower') }),
  /** What is asked next follows from answers that are under way. */
  z.object({ kind: z.literal('choice') }),
  /** Another model of the same server of this machine comes first. */
  z.object({ kind: z.literal('turn'), model: z.string() }),
])
export type Wait = z.infer<typeof wait>

const soFar = z.object({
  value: z.number(),
  low: z.number(),
  high: z.number(),
  n: z.number(),
  /** Groups that the answers are of. */
  groups: z.number().optional(),
})
/** Accuracy of the answers so far with its 95 % interval, over groups where there are several. */
export type SoFar = z.infer<typeof soFar>

const modelFailure = z.object({ code: z.string(), times: z.number(), message: z.string() })
/** What failed in this process, with the message of the last. */
export type ModelFailure = z.infer<typeof modelFailure>

export const modelProgress = z.object({
  model: z.string(),
  /** Cells planned; of an adaptive run at most as many. */
  total: z.number(),
  done: z.number(),
  failed: z.number(),
  inFlight: z.number(),
  /** Cells that wait for another attempt. */
  retrying: z.number(),
  /** Cells ended a second, over the last seconds. */
  rate: z.number(),
  /** Seconds until all is asked, at this rate; null: not known. */
  left: z.number().nullable(),
  /** US dollars booked for it. */
  usd: z.number(),
  /** null: no answer that counts yet, or too many of earlier processes to be read again. */
  accuracy: soFar.nullable(),
  waits: z.array(wait).readonly(),
  /** The latest first. */
  failures: z.array(modelFailure).readonly(),
})
/** How far one model is. */
export type ModelProgress = Readonly<z.infer<typeof modelProgress>>

/** Seconds in words, to one unit. */
export const duration = (seconds: number): string =>
  seconds < 90
    ? `${Math.ceil(seconds)} s`
    : seconds < 5400
      ? `${Math.ceil(seconds / 60)} min`
      : `${(seconds / 3600).toFixed(1)} h`

const seconds = (ms: number): string => duration(ms / 1000)

/** Why a model waits, for a person. Words of a provider are in it as they came. */
export function waitText(wait: Wait): string {
  switch (wait.kind) {
    case 'pause':
      return `told to slow down, for ${seconds(wait.ms)}`
    case 'rate':
      return `its rate is used up, for ${seconds(wait.ms)}`
    case 'back-off':
      return `${wait.calls} failed ${wait.calls === 1 ? 'call' : 'calls'} again in ${seconds(wait.ms)}`
    case 'full':
      return `told to slow down: ${wait.calls} ${wait.calls === 1 ? 'call' : 'calls'} at once`
    case 'ahead':
      return 'one call goes ahead'
    case 'broken':
      return `not asked any more: ${wait.code}`
    case 'budget':
      return 'the next call could cost more than is left'
    case 'slower':
      return 'for a slower model that it is compared with'
    case 'choice':
      return 'what is next follows from answers under way'
    case 'turn':
      return `its turn, after ${wait.model}: a server of this machine is asked for one model at a time`
  }
}
