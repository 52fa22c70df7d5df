import { type Outcome, statusOf } from '../../core/index.ts'
import type { JobError, Scored } from './job.ts'

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
    case 'error':
      return failed({ code: outcome.code, message: outcome.message })
    case 'measured':
      return { state: 'measured', reward: null, ...EMPTY, values: outcome.values }
    case 'answered': {
      const { results } = outcome
      const verdict = Object.hasOwn(results, parser) ? results[parser] : undefined
      if (verdict === undefined)
        return failed({
          code: 'unknown-parser',
          message: `there is no parser "${parser}"; there are ${Object.keys(results).join(', ')}`,
        })
      const state = statusOf(outcome, parser)
      const grades = Object.fromEntries(
        Object.entries(results).map(([name, one]) => [name, one.kind === 'graded' ? one.value : null]),
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
