import type { z } from 'zod'

/**
 * What a schema says of a number that does not fit, in words: what was expected and what came. Everything else stays as the
 * schema says it.
 */
export const misfitInWords: z.core.$ZodErrorMap = (issue) => {
  const expected = expectedOf(issue)
  return expected === null ? undefined : `expected ${expected}, came ${JSON.stringify(issue.input) ?? 'nothing'}`
}

function expectedOf(issue: z.core.$ZodRawIssue): string | null {
  if (issue.code === 'invalid_type' && issue.expected === 'int' && typeof issue.input === 'number')
    return 'a whole number'
  if (typeof issue.input !== 'number') return null
  if (issue.code === 'too_small') return `a number ${issue.inclusive ? 'of at least' : 'above'} ${issue.minimum}`
  if (issue.code === 'too_big') return `a number ${issue.inclusive ? 'of at most' : 'below'} ${issue.maximum}`
  return null
}
