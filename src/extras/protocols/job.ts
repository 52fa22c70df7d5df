import type { FinishReason, Request, TokenLogprob, TraceSummary } from '../../core/index.ts'
import type { Content } from './item-ref.ts'

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
