/** A statement in a chain of thought that can be checked against the problem. */
export interface CheckedStep {
  /** Offsets into the text. */
  readonly span: readonly [start: number, end: number]
  /** Is it true of the problem? */
  readonly holds: boolean
  /** The answer that it gives by itself, as a response would; null: none. */
  readonly decides: string | null
}

/** What a task finds in a chain of thought. */
export interface CheckedSteps {
  readonly steps: readonly CheckedStep[]
  /** Names that stand where those of the problem would, and are none of them. */
  readonly unknown: readonly string[]
}

/** How a chain of thought fares against its problem. */
export interface TraceSummary {
  readonly steps: number
  readonly trueSteps: number
  /** Of the first step that is not true. */
  readonly firstFalse: readonly [start: number, end: number] | null
  readonly unknown: readonly string[]
  /** Do true steps give the answer, and no true step another? null: no step decides. */
  readonly supportsAnswer: boolean | null
}

/** Longest chain of thought that is read, and most names told. */
export const LONGEST_TRACE = 1_000_000
const MOST_UNKNOWN = 20

/** @param answer - as a response would give it; null: none was read. */
export function summarizeTrace({ steps, unknown }: CheckedSteps, answer: string | null): TraceSummary {
  const holding = steps.filter(({ holds }) => holds)
  const deciding = holding.flatMap(({ decides }) => decides ?? [])
  return {
    steps: steps.length,
    trueSteps: holding.length,
    firstFalse: steps.find(({ holds }) => !holds)?.span ?? null,
    unknown: [...new Set(unknown)].slice(0, MOST_UNKNOWN),
    supportsAnswer: deciding.length === 0 ? null : deciding.every((one) => one === answer),
  }
}
