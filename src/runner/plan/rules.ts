import { z } from 'zod'
import type { LevelCounts, Threshold } from '../../libraries/statistics/index.ts'

// What an experiment may say about when to stop and what to call next, and what is known by it. Formats only: they are
// part of run.json and of the result of a run. The extensions `sequential` and `adaptive` act on them.

/** When a run knows enough to stop, fixed before its first call. */
export const untilSchema = z.preprocess(
  (value) => (typeof value === 'string' ? { rule: value } : value),
  z.strictObject({
    rule: z
      .string()
      .min(3)
      .max(400)
      .describe('"A>B" for two models, with which all others stop, or "width<0.05" for the intervals of all'),
    alpha: z.number().gt(0).lt(0.5).default(0.05).describe('chance of a wrong verdict over all interim analyses'),
    checkEvery: z.int().min(1).max(1_000_000).default(25).describe('groups of items between interim analyses'),
  }),
)
export type Until = z.infer<typeof untilSchema>

/** What one interim analysis found. */
export type InterimAnalysis =
  | {
      readonly kind: 'better'
      /** Groups of items that both models have ended. */
      readonly groups: number
      /** Mean over groups of the accuracy of A minus that of B; null: no group yet. */
      readonly difference: number | null
      /** E-values of A > B and of B > A; the rule is satisfied when one reaches 2 / alpha. */
      readonly eGreater: number
      readonly eLess: number
    }
  | { readonly kind: 'width'; readonly groups: number; readonly models: readonly ModelInterim[] }

export interface ModelInterim {
  readonly model: string
  readonly groups: number
  readonly accuracy: number
  readonly low: number
  readonly high: number
}

/** A stopping rule, its interim analyses, and what is known by them. */
export interface UntilState extends Until {
  readonly interim: readonly InterimAnalysis[]
  /** null: not known (yet). */
  readonly verdict: string | null
}

/** How a run chooses what it calls next, fixed before its first call. */
export const adaptSchema = z
  .preprocess(
    (value) => (typeof value === 'string' ? { parameter: value } : value),
    z.strictObject({
      parameter: z
        .string()
        .min(1)
        .max(100)
        .describe('a numeric parameter of the task, or a numeric feature of its items'),
      from: z.number().optional().describe('smallest value (default: the smallest there is)'),
      to: z.number().optional().describe('largest value'),
      step: z.number().gt(0).default(1).describe('from value to value, for a parameter of the task'),
      until: z
        .string()
        .max(100)
        .optional()
        .describe('precision at which a model is done: "x50 width<2", "x75 se<0.5" (default: after maxItems)'),
      maxItems: z.int().min(1).max(10_000).default(300).describe('most items per model'),
      checkEvery: z.int().min(1).max(10_000).default(5).describe('items per adaptive step'),
    }),
  )
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, 'from is less than to')
export type Adapt = z.infer<typeof adaptSchema>

/** One choice of an adaptive run: this many items more at a value of the parameter. */
export interface AdaptiveStep {
  readonly at: number
  readonly items: number
  /** What all responses up to the end of the step say; null: it is in progress. */
  readonly estimate: StepEstimate | null
}

export interface StepEstimate {
  /** Responses so far. */
  readonly answers: number
  /** null: too few responses for a curve. */
  readonly threshold: Threshold | null
}

/** Why a model is called no more: precise enough, `maxItems` reached, or no items left. */
export type EndReason = 'precise' | 'max-items' | 'no-items-left'

/** The adaptive calls of one model. */
export interface AdaptedModel {
  readonly model: string
  readonly steps: readonly AdaptiveStep[]
  /** null: not stopped. */
  readonly end: EndReason | null
  /** Responses by value of the parameter. */
  readonly levels: readonly LevelCounts[]
  /** Design effect: by how much more the responses of one group vary than independent ones. */
  readonly design: number
}

/** An adaptive run: what was planned, what it chose, and what is known. */
export interface AdaptState extends Adapt {
  readonly models: readonly AdaptedModel[]
}
