/**
 * How much a worked solution tells, from least to most: the step that gives the answer, what a practised person would write
 * down, or every step.
 */
export const solutionDetails = ['reason', 'short', 'full'] as const
export type Detail = (typeof solutionDetails)[number]

/** A line of a worked solution: the same whatever the detail, or what it says in each; null: it is left out there. */
export type SolutionStep = string | { readonly [detail in Detail]: string | null }

/** A line that a practised person leaves out. */
export const fullOnly = (full: string): SolutionStep => ({ reason: null, short: null, full })
/** A line on the way to the step that gives the answer; a practised person may write it in fewer words. */
export const optionalStep = (full: string, short = full): SolutionStep => ({ reason: null, short, full })

/** A worked solution as text. Of `full` every line is there; what others leave out changes nothing in the lines they keep. */
export const solutionText = (lines: readonly SolutionStep[], detail: Detail): string =>
  lines.flatMap((line) => (typeof line === 'string' ? line : (line[detail] ?? []))).join('\n')
