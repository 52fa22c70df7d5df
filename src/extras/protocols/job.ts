import {
  type FinishReason,
  type Outcome,
  type Request,
  statusOf,
  type TokenLogprob,
  type TraceSummary,
} from '../../core/index.ts'
import type { Content } from './token.ts'

/** An item as a worker makes it: with the seed that items are made from. */
export interface ItemOrigin {
  readonly task: string
  readonly content: Content
  readonly split: string
  readonly seed: string
  readonly index: number
}

export type SizeJob = Omit<ItemOrigin, 'index'>

/** How many indices there are (`null`: endless), and how many in a row are of one group, where groups lie so. */
export type IndexCount =
  | { readonly kind: 'size'; readonly size: number | null; readonly perGroup: number | null }
  | { readonly kind: 'refused'; readonly message: string }

export interface DrawJob extends ItemOrigin {
  readonly style: string
}

export type Drawn =
  | { readonly kind: 'item'; readonly request: Request }
  | { readonly kind: 'hole'; readonly proved: boolean; readonly reason: string }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'trouble'; readonly message: string }

/** Answers to one item share `item`, so that a thread is sent it, and looks it up, once a batch. */
export interface ScoreJob {
  readonly item: ItemOrigin
  readonly text: string
  readonly finish: FinishReason
  readonly logprobs: readonly TokenLogprob[] | null
  /** Whose verdict is the reward. */
  readonly parser: string
  /** Also check the steps of the text. */
  readonly trace: boolean
}

/** Who makes items and scores: a pool of threads, or this one. */
export interface Workers {
  /** In the order of the jobs. */
  draw(jobs: readonly DrawJob[]): Promise<readonly Drawn[]>
  score(jobs: readonly ScoreJob[]): Promise<readonly Scored[]>
  size(job: SizeJob): Promise<IndexCount>
  close(): Promise<void>
}

/** Something is wrong, and it is not the model's answer. */
export interface JobError {
  readonly code: string
  readonly message: string
}

/** Where an answer was read. */
export interface ParsedPrediction {
  readonly parser: string
  readonly answer: unknown
  readonly rule: string
  readonly span: readonly [start: number, end: number]
}

/** What became of one answer. `reward` is null where it was not judged: trouble is never a zero. */
export interface Scored {
  readonly state: 'graded' | 'unparsed' | 'truncated' | 'refused' | 'measured' | 'failed'
  readonly reward: number | null
  /** Grades by parser; null: nothing was read. */
  readonly grades: { readonly [parser: string]: number | null }
  readonly parts: { readonly [name: string]: number }
  readonly reading: ParsedPrediction | null
  /** Why nothing was read. */
  readonly reason: string | null
  /** Named numbers of a task that measures log-probabilities. */
  readonly values: { readonly [name: string]: number }
  readonly trouble: JobError | null
  /** What its steps are worth, where that was asked and the task can tell. */
  readonly trace?: TraceSummary
}

const EMPTY = { grades: {}, parts: {}, reading: null, reason: null, values: {}, trouble: null } as const

/** Not judged, and why. */
export const failed = (trouble: JobError): Scored => ({
  state: 'failed',
  reward: null,
  ...EMPTY,
  trouble,
})

/** An outcome as it is sent: `parser` says whose verdict is the reward. */
export function scoredOf(outcome: Outcome, parser: string): Scored {
  switch (outcome.kind) {
    case 'failed':
      return failed({ code: outcome.code, message: outcome.message })
    case 'measured':
      return { state: 'measured', reward: null, ...EMPTY, values: outcome.values }
    case 'answered': {
      const { verdicts } = outcome
      const verdict = Object.hasOwn(verdicts, parser) ? verdicts[parser] : undefined
      if (verdict === undefined)
        return failed({
          code: 'unknown-parser',
          message: `there is no parser "${parser}"; there are ${Object.keys(verdicts).join(', ')}`,
        })
      const state = statusOf(outcome, parser)
      const grades = Object.fromEntries(
        Object.entries(verdicts).map(([name, one]) => [name, one.kind === 'graded' ? one.value : null]),
      )
      if (verdict.kind === 'unparsed') return { state, reward: 0, ...EMPTY, grades, reason: verdict.reason }
      const { value, answer, rule, span, parts = {} } = verdict
      return {
        state,
        // A text that was cut off or refused is no answer, whatever can be read in it.
        reward: state === 'graded' ? value : 0,
        ...EMPTY,
        grades,
        parts,
        reading: { parser, answer, rule, span },
      }
    }
  }
}
