import type { z } from 'zod'
import {
  type FinishReason,
  type Outcome,
  type Request,
  statusOf,
  type TokenLogprob,
  type TraceSummary,
} from '../../core/index.ts'
import type { scored } from './schemas.ts'
import type { Content } from './token.ts'

/** What a worker needs to regenerate an item; `seed` is the seed that the items are drawn from. */
export interface ItemOrigin {
  readonly task: string
  readonly content: Content
  readonly split: string
  readonly seed: string
  readonly index: number
}

export type SizeJob = Omit<ItemOrigin, 'index'>

/** Number of indices (null: endless) and, where items lie group by group, consecutive indices of one group. */
export type IndexCount =
  | { readonly kind: 'size'; readonly size: number | null; readonly perGroup: number | null }
  | { readonly kind: 'refused'; readonly message: string }

export interface DrawJob extends ItemOrigin {
  readonly style: string
}

/** `refused`: the request is wrong; `error`: the item could not be drawn. */
export type Drawn =
  | { readonly kind: 'item'; readonly request: Request }
  | { readonly kind: 'empty'; readonly reason: string }
  | { readonly kind: 'refused' | 'error'; readonly message: string }

/** Responses to one item share the object `item`, so that a batch carries and looks it up once. */
export interface ScoreJob {
  readonly item: ItemOrigin
  readonly text: string
  readonly finish: FinishReason
  readonly logprobs: readonly TokenLogprob[] | null
  /** Parser whose score is the reward. */
  readonly parser: string
  /** Also check the reasoning steps of the text. */
  readonly trace: boolean
}

/** Draws and scores in a pool of threads, or in this thread. Results come in the order of the jobs. */
export interface Workers {
  draw(jobs: readonly DrawJob[]): Promise<readonly Drawn[]>
  score(jobs: readonly ScoreJob[]): Promise<readonly Scored[]>
  size(job: SizeJob): Promise<IndexCount>
  close(): Promise<void>
}

/** The score of one response. `reward` is null where the response was not scored: an error is never a zero. */
export type Scored = z.infer<typeof scored>
/** Why a response was not scored: never the fault of the response. */
export type JobError = NonNullable<Scored['error']>
/** What a reward for steps needs. */
export type CheckedTrace = NonNullable<Scored['trace']>

/** @param reward - of the answer: true steps to a poor answer, such as what wrong laws make of the words, earn no more than it. */
export const checkedTrace = (trace: TraceSummary, reward: number | null): CheckedTrace => ({
  ...trace,
  trueShare: trace.steps === 0 ? null : trace.trueSteps / trace.steps,
  reward: trace.supportsAnswer === true && trace.firstFalse === null && trace.unknown.length === 0 ? (reward ?? 0) : 0,
})

/** A trace as numbers, for protocols whose clients average them. */
export const stepNumbers = ({ steps, trueSteps, trueShare, reward }: CheckedTrace) => ({
  steps,
  true_steps: trueSteps,
  ...(trueShare === null ? {} : { true_share: trueShare }),
  step_reward: reward,
})

const EMPTY = { scores: {}, subscores: {}, prediction: null, reason: null, values: {}, error: null }

export const notScored = (error: JobError): Scored => ({ status: 'error', reward: null, ...EMPTY, error })

/** An outcome as it is sent; the score under `parser` is the reward. */
export function scoredOf(outcome: Outcome, parser: string): Scored {
  if (outcome.kind === 'error') return notScored({ code: outcome.code, message: outcome.message })
  if (outcome.kind === 'measured') return { status: 'loglikelihood', reward: null, ...EMPTY, values: outcome.values }
  const { results } = outcome
  const result = Object.hasOwn(results, parser) ? results[parser] : undefined
  if (result === undefined) {
    const message = `unknown parser "${parser}". Parsers: ${Object.keys(results).join(', ')}`
    return notScored({ code: 'unknown-parser', message })
  }
  const scores = Object.fromEntries(
    Object.entries(results).map(([name, one]) => [name, one.kind === 'graded' ? one.value : null]),
  )
  const status = statusOf(outcome, parser)
  if (result.kind === 'unparsed') return { status, reward: 0, ...EMPTY, scores, reason: result.reason }
  const { value, answer, rule, span, parts: subscores = {} } = result
  // A truncated or refused text is no answer, whatever can be parsed in it.
  const reward = status === 'graded' ? value : 0
  return { status, reward, ...EMPTY, scores, subscores, prediction: { parser, answer, rule, span } }
}
