/** A checkable statement in a chain of thought. */
export interface CheckedStep {
  /** Offsets into the text. */
  readonly span: readonly [start: number, end: number]
  /** True if it holds in the problem. */
  readonly holds: boolean
  /** The answer that this step alone implies, as a response would write it; null: none. */
  readonly decides: string | null
}

/** The steps that a task found in a chain of thought. */
export interface CheckedSteps {
  readonly steps: readonly CheckedStep[]
  /** Names used like names of the problem that the problem does not have. */
  readonly unknown: readonly string[]
}

/** Summary of the checked steps of a chain of thought. */
export interface TraceSummary {
  readonly steps: number
  readonly trueSteps: number
  /** Span of the first false step. */
  readonly firstFalse: readonly [start: number, end: number] | null
  readonly unknown: readonly string[]
  /** True if a true step implies the answer and none implies another; null: no step implies an answer. */
  readonly supportsAnswer: boolean | null
}

/** Limits: characters of a chain of thought, and unknown names listed. */
export const MAX_TRACE = 1_000_000
const MAX_UNKNOWN = 20

/** @param answer - the prediction as a response would write it; null: unparsed. */
export function summarizeTrace({ steps, unknown }: CheckedSteps, answer: string | null): TraceSummary {
  const holding = steps.filter(({ holds }) => holds)
  const deciding = holding.flatMap(({ decides }) => decides ?? [])
  return {
    steps: steps.length,
    trueSteps: holding.length,
    firstFalse: steps.find(({ holds }) => !holds)?.span ?? null,
    unknown: [...new Set(unknown)].slice(0, MAX_UNKNOWN),
    supportsAnswer: deciding.length === 0 ? null : deciding.every((one) => one === answer),
  }
}
