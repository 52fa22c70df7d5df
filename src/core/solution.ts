/**
 * Detail of a worked solution, from least to most: the step that gives the answer, what a practised person would write, every step.
 */
export const solutionDetails = ['reason', 'short', 'full'] as const
export type Detail = (typeof solutionDetails)[number]

/** A line of a worked solution: one text for every detail, or one text per detail; null: omitted there. */
export type SolutionStep = string | { readonly [detail in Detail]: string | null }

/** A line that appears only in full detail. */
export const fullOnly = (full: string): SolutionStep => ({ reason: null, short: null, full })
/** An intermediate line, optionally shorter in short detail. */
export const optionalStep = (full: string, short = full): SolutionStep => ({ reason: null, short, full })

/** A worked solution as text. Lower detail omits lines and leaves the other lines unchanged. */
export const solutionText = (lines: readonly SolutionStep[], detail: Detail): string =>
  lines.flatMap((line) => (typeof line === 'string' ? line : (line[detail] ?? []))).join('\n')
